import { type ActNames, nameIn } from '../../platform/act-names.ts';

export const eventNames: ActNames = { event: nameIn('event', { id: 'event', name: 'title', owner: null, ids: 'word' }) };
