import { isBookkeeping, isSecret, type PersonalTables, keptForItsPeriod } from '../../platform/personal-data.ts';

/** How the tables of this module speak of people. */
export const mailPersonal: PersonalTables = {
  freezeLink: {
    own: { loginId: 'login' },
    erased: 'deleted',
    gives: ['accountName', 'mailedTo', 'activityId', 'madeAt', 'expiresAt', 'usedAt'],
    withholds: { freezeLinkId: isSecret },
  },
  mail: {
    own: { loginId: 'login' },
    erased: { deleted: 'Mails that wait to be sent', kept: keptForItsPeriod },
    gives: [
      'recipient',
      'mailId',
      'subject',
      'accountName',
      'writtenAt',
      'sentAt',
      'failure',
      'topic',
      'recipientName',
      'answerBy',
      'refusedAt',
    ],
    withholds: {
      body: 'Can be about accounts and cases that the person no longer sees',
      sealedLink: isSecret,
      freezeLinkId: isSecret,
      thread: isBookkeeping,
      attaches: isBookkeeping,
      unsubscribesFrom: isBookkeeping,
      path: isBookkeeping,
      act: isBookkeeping,
      kind: isBookkeeping,
    },
  },
  mailTextVersion: { acts: { loginId: 'login', approvedBy: 'login' } },
  mailRefusal: {
    absent: 'Names a person by an address alone, which may have been another person’s before',
    others: { address: 'Named by an address alone, which may have been another person’s before' },
  },
};
