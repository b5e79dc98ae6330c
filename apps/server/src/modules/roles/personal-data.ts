import { type PersonalTables, keptAsRecord } from '../../platform/personal-data.ts';

/** How the tables of this module speak of people. */
export const rolesPersonal: PersonalTables = {
  staffAssignment: {
    own: { loginId: 'login' },
    erased: { kept: keptAsRecord },
    gives: ['staffAssignmentId', 'readyMade', 'staffRoleId', 'givenAt', 'startsAt', 'until', 'withdrawnAt', 'reviewedAt', 'fromGroup'],
    acts: { givenBy: 'login', withdrawnBy: 'login', reviewedBy: 'login' },
    withholds: { reason: 'Words of other people', withdrawnReason: 'Words of other people' },
  },
  staffGroup: { own: { loginId: 'login' }, erased: 'deleted', gives: ['groupName', 'givenRole', 'since', 'refused'] },
  caseHandOver: {
    own: { fromLogin: 'login', toLogin: 'login', byLogin: 'login' },
    erased: { kept: keptAsRecord },
    gives: ['caseHandOverId', 'kind', 'caseId', 'at'],
    withholds: { words: 'Words of other people' },
  },
};
