import { type PersonalTables } from '../../platform/personal-data.ts';

/** How the tables of this module speak of people. */
export const resourcesPersonal: PersonalTables = {
  resourceLock: { acts: { lockedBy: 'login', requestedBy: 'login', confirmedBy: 'login' } },
};
