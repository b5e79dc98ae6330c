import { type PersonalTables } from '../../platform/personal-data.ts';

/** How the tables of this module speak of people. */
export const bgpTablesPersonal: PersonalTables = {
  bgpTable: { others: { uploadedBy: 'A name of the account’s contact, whose line is in the log' } },
};
