import { type ActNames, nameIn } from '../../platform/act-names.ts';

export const apiKeyNames: ActNames = { 'API key': nameIn('apiKey', { id: 'apiKeyId', name: 'label', owner: 'accountName' }) };
