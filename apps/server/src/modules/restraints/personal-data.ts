import type { PersonalTables } from '../../platform/personal-data.ts';

/** How the tables of this module speak of people. */
export const restraintsPersonal: PersonalTables = {
  accountRestraint: { acts: { setBy: 'login', confirmedBy: 'login', liftedBy: 'login' } },
};
