import { isBookkeeping, isSecret, type PersonalTables, keptAsVote } from '../../platform/personal-data.ts';

/** How the tables of this module speak of people. */
export const electionsPersonal: PersonalTables = {
  attendance: { own: { loginId: 'login' }, erased: { kept: keptAsVote }, gives: ['email', 'conference', 'registeredAt', 'attended'] },
  attendeeRoll: { own: { loginId: 'login' }, erased: { kept: keptAsVote }, gives: ['email', 'electionId'] },
  attendeeVote: {
    own: { loginId: 'login' },
    erased: { kept: keptAsVote },
    gives: ['electionId', 'voterName', 'castAt'],
    withholds: { generation: isBookkeeping, notifiedAt: isBookkeeping },
  },
  ballotSession: {
    own: { loginId: 'login', contactId: 'contact' },
    erased: { kept: keptAsVote },
    gives: ['electionId', 'accountName', 'castAs', 'voterName', 'votes', 'openedAt', 'expiresAt'],
    withholds: { voterId: isSecret, generation: isBookkeeping },
  },
  electionProxy: {
    absent: 'Names a person by an address alone, which may have been another person’s before',
    acts: { appointedBy: 'contact' },
    others: {
      fullName: 'Named by an address alone, which may have been another person’s before',
      email: 'Named by an address alone, which may have been another person’s before',
    },
  },
  electionVote: {
    own: { castBy: 'contact' },
    erased: { kept: keptAsVote },
    gives: ['electionId', 'accountName', 'votes', 'castAs', 'voterName', 'castAt'],
    withholds: { generation: isBookkeeping, notifiedAt: isBookkeeping },
  },
  nomination: {
    own: { nominatedBy: 'login', answeredBy: 'login' },
    erased: { kept: keptAsVote },
    gives: ['nominationId', 'electionId', 'accountName', 'organisation', 'state', 'nominatedAt', 'answeredAt', 'judgedAt'],
    withholds: {
      nominatorName: 'Words of other people',
      reason: 'Words of other people',
      statement: 'Words of other people',
      fullName: 'Words of other people',
      email: 'Words of other people',
      judgeReason: 'Words of those who judged',
    },
  },
};
