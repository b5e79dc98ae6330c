import { type PersonalTables } from '../../platform/personal-data.ts';

/** How the tables of this module speak of people. */
export const routesPersonal: PersonalTables = {
  routeChange: { acts: { contactId: 'contact' }, others: { madeBy: 'The name of the contact of the same row, as it was' } },
  routeMute: { others: { mutedBy: 'A name of the account’s contact, whose line is in the log' } },
};
