import { type ActNames, nameIn } from '../../platform/act-names.ts';

export const accountThingNames: ActNames = {
  contact: nameIn('contact', { id: 'contactId', name: 'fullName', owner: 'accountName', ids: 'uuid' }),
};
