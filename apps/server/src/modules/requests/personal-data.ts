import { type PersonalTables, keptForItsPeriod } from '../../platform/personal-data.ts';

/** How the tables of this module speak of people. */
export const requestsPersonal: PersonalTables = {
  listing: { acts: { listedBy: 'login' } },
  listingMessage: {
    own: { loginId: 'login' },
    erased: { kept: keptForItsPeriod },
    gives: ['listingMessageId', 'listingId', 'accountName', 'kind', 'words', 'sentAt'],
  },
  resourceRequest: {
    absent: 'Of an account, whose contacts see it; acts.ndjson has what the person did',
    acts: { requestedBy: 'login', reviewer: 'login', decidedBy: 'login' },
    others: { recipientName: 'An organisation, the recipient of a transfer' },
  },
  resourceRequestEvent: { acts: { loginId: 'login' } },
  resourceRequestQuestion: { acts: { askedBy: 'login' }, others: { answerBy: 'A time' } },
};
