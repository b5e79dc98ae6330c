import { isBookkeeping, type PersonalTables, keptForItsPeriod } from '../../platform/personal-data.ts';

/** How the tables of this module speak of people. */
export const ticketsPersonal: PersonalTables = {
  ticket: {
    own: { requestor: 'login' },
    erased: { kept: keptForItsPeriod },
    gives: [
      'requestorEmail',
      'ticketId',
      'queue',
      'subject',
      'state',
      'accountName',
      'requestorName',
      'createdAt',
      'updatedAt',
      'firstAnswerAt',
      'resolvedAt',
      'isTalk',
      'fromRegistry',
      'asks',
    ],
    withholds: {
      tieKind: isBookkeeping,
      tieText: isBookkeeping,
      secondsUs: isBookkeeping,
      secondsMember: isBookkeeping,
      remindedAt: isBookkeeping,
      talkMailedAt: isBookkeeping,
      waitingSince: isBookkeeping,
    },
    acts: { owner: 'login' },
  },
  ticketCc: { own: { loginId: 'login' }, erased: { kept: keptForItsPeriod }, gives: ['email', 'ticketId', 'fullName'] },
  ticketMessage: {
    own: { loginId: 'login' },
    erased: { kept: keptForItsPeriod },
    when: { loginId: ['by', 'member'] },
    gives: ['ticketMessageId', 'ticketId', 'kind', 'by', 'author', 'byMail', 'content', 'at', 'senderUnverified'],
    withholds: { mailId: isBookkeeping, passingSince: isBookkeeping, passedOnAt: isBookkeeping },
  },
  ticketRead: { own: { loginId: 'login' }, erased: 'deleted', gives: ['ticketId', 'readAt'] },
};
