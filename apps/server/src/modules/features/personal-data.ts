import type { PersonalTables } from '../../platform/personal-data.ts';

/** How the tables of this module speak of people. */
export const featuresPersonal: PersonalTables = { featureSetting: { acts: { changedBy: 'login' } } };
