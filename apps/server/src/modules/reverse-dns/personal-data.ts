import { isBookkeeping, isSecret, type PersonalTables } from '../../platform/personal-data.ts';

/** How the tables of this module speak of people. */
export const reverseDnsPersonal: PersonalTables = {
  rdnsCheck: {
    own: { loginId: 'login' },
    erased: 'deleted',
    gives: ['zone', 'undelegated', 'askedAt', 'doneAt', 'grade'],
    withholds: { checkId: isSecret, servers: isBookkeeping, ds: isBookkeeping, report: isBookkeeping },
  },
  rdnsWaiting: { acts: { contactId: 'contact' } },
};
