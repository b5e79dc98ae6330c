import { type ActNames, nameIn } from '../../platform/act-names.ts';

export const webhookNames: ActNames = { webhook: nameIn('webhook', { id: 'webhookId', name: 'label', owner: 'accountName' }) };
