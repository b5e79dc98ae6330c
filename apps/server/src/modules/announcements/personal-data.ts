import { isSecret, type PersonalTables } from '../../platform/personal-data.ts';

/** How the tables of this module speak of people. */
export const announcementsPersonal: PersonalTables = {
  announcementFeed: { own: { loginId: 'login' }, erased: 'deleted', gives: ['madeAt'], withholds: { addressDigest: isSecret } },
  announcementReader: { own: { loginId: 'login' }, erased: 'deleted', gives: ['announcementId', 'acknowledgedAt'] },
};
