import { type ActNames, nameIn } from '../../platform/act-names.ts';

export const documentNames: ActNames = { document: nameIn('document', { id: 'documentId', name: 'title', owner: 'accountName' }) };
