import { type PersonalTables } from '../../platform/personal-data.ts';

/** How the tables of this module speak of people. */
export const proposalsPersonal: PersonalTables = {
  proposal: { acts: { proposedBy: 'login', decidedBy: 'login' } },
};
