import { isBookkeeping, type PersonalTables } from '../../platform/personal-data.ts';

/** How the tables of this module speak of people. */
export const notificationsPersonal: PersonalTables = {
  notification: {
    own: { loginId: 'login' },
    erased: 'deleted',
    gives: ['notificationId', 'accountName', 'topic', 'title', 'writtenAt', 'readAt'],
    withholds: { body: 'Can be about accounts and cases that the person no longer sees', digest: isBookkeeping, link: isBookkeeping },
  },
  notificationAddress: { own: { loginId: 'login' }, erased: 'deleted', gives: ['topic', 'email'] },
  notificationPreference: { own: { loginId: 'login' }, erased: 'deleted', gives: ['topic', 'delivery'] },
  notificationDigest: { own: { loginId: 'login' }, erased: 'deleted', gives: ['digest', 'until', 'madeAt'] },
};
