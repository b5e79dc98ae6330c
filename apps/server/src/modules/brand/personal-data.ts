import type { PersonalTables } from '../../platform/personal-data.ts';

/** How the tables of this module speak of people. */
export const brandPersonal: PersonalTables = {
  brandLogo: { acts: { uploadedBy: 'login' } },
  brandChange: { acts: { preparedBy: 'login', proposedBy: 'login', confirmedBy: 'login', endedBy: 'login', endedWith: 'login' } },
};
