import { type ActNames, nameIn } from '../../platform/act-names.ts';

export const statusPagesNames: ActNames = { watcher: nameIn('watcher', { id: 'watcherId', name: 'place', owner: null }) };
