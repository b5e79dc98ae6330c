import { type ActNames, nameIn } from '../../platform/act-names.ts';

export const taskNames: ActNames = { task: nameIn('task', { id: 'taskId', name: 'summary', owner: 'accountName' }) };
