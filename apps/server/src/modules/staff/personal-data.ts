import { isBookkeeping, type PersonalTables } from '../../platform/personal-data.ts';

/** How the tables of this module speak of people. */
export const staffPersonal: PersonalTables = {
  caseLink: { absent: 'A link between two cases; acts.ndjson has what the person did', acts: { loginId: 'login' } },
  caseReminder: {
    own: { loginId: 'login' },
    gives: ['caseReminderId', 'kind', 'caseId', 'day', 'words', 'byMail', 'mailedAt', 'createdAt'],
  },
  caseWatch: { own: { loginId: 'login' }, gives: ['caseWatchId', 'kind', 'caseId', 'watchedAt'], withholds: { seen: isBookkeeping } },
  replyTemplate: { acts: { loginId: 'login' } },
  savedQueue: { own: { loginId: 'login' }, gives: ['savedQueueId', 'name', 'filter', 'savedAt'] },
  staffVisit: { own: { loginId: 'login' }, gives: ['staffVisitId', 'accountName', 'startedAt', 'until', 'endedAt'] },
};
