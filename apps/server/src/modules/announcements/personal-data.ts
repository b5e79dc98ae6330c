import { isSecret, type PersonalTables } from '../../platform/personal-data.ts';

/** How the tables of this module speak of people. */
export const announcementsPersonal: PersonalTables = {
  announcementFeed: { own: { loginId: 'login' }, erased: 'deleted', gives: ['madeAt'], withholds: { addressDigest: isSecret } },
  announcementSubscriber: {
    absent: 'Names a person by an address alone, which may have been another person’s before',
    others: { email: 'Named by an address alone, which may have been another person’s before' },
  },
  announcementReader: { own: { loginId: 'login' }, erased: 'deleted', gives: ['announcementId', 'acknowledgedAt'] },
};
