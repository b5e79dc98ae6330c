import type { PersonalTables } from '../../platform/personal-data.ts';

/** How the tables of this module speak of people. */
export const statusPagesPersonal: PersonalTables = { watcher: { acts: { loginId: 'login' } } };
