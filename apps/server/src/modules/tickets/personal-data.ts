import { isBookkeeping, type PersonalTables } from '../../platform/personal-data.ts';

/** How the tables of this module speak of people. */
export const ticketsPersonal: PersonalTables = {
  ticket: {
    own: { requestor: 'login' },
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
  ticketCc: { own: { loginId: 'login' }, gives: ['email', 'ticketId', 'fullName'] },
  ticketMessage: {
    own: { loginId: 'login' },
    when: { loginId: ['by', 'member'] },
    gives: ['ticketMessageId', 'ticketId', 'kind', 'by', 'author', 'byMail', 'content', 'at', 'senderUnverified'],
    withholds: { mailId: isBookkeeping, passingSince: isBookkeeping, passedOnAt: isBookkeeping },
  },
  ticketRead: { own: { loginId: 'login' }, gives: ['ticketId', 'readAt'] },
};
