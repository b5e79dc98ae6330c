import { isBookkeeping, type PersonalTables, keptForItsPeriod } from '../../platform/personal-data.ts';

/** How the tables of this module speak of people. */
export const staffPersonal: PersonalTables = {
  caseLink: { absent: 'A link between two cases; acts.ndjson has what the person did', acts: { loginId: 'login' } },
  caseReminder: {
    own: { loginId: 'login' },
    erased: 'deleted',
    gives: ['caseReminderId', 'kind', 'caseId', 'day', 'words', 'byMail', 'mailedAt', 'createdAt'],
  },
  caseWatch: {
    own: { loginId: 'login' },
    erased: 'deleted',
    gives: ['caseWatchId', 'kind', 'caseId', 'watchedAt'],
    withholds: { seen: isBookkeeping },
  },
  replyTemplate: { acts: { loginId: 'login' } },
  riskMark: {
    absent: 'About an account; it can name people, and be part of an investigation. Registry staff answer who asks what it says about them',
    acts: { setBy: 'login', removedBy: 'login' },
  },
  savedQueue: { own: { loginId: 'login' }, erased: 'deleted', gives: ['savedQueueId', 'name', 'filter', 'savedAt'] },
  staffVisit: {
    own: { loginId: 'login' },
    erased: { kept: keptForItsPeriod },
    gives: ['staffVisitId', 'accountName', 'startedAt', 'until', 'endedAt'],
  },
};
