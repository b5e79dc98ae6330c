import { isBookkeeping, keptAsRecord, type PersonalTables } from '../../platform/personal-data.ts';

/** How the tables of this module speak of people. */
export const legalPersonal: PersonalTables = {
  legalVersion: { acts: { preparedBy: 'login', proposedBy: 'login', confirmedBy: 'login', endedBy: 'login', endedWith: 'login' } },
  legalAcceptance: {
    own: { loginId: 'login' },
    erased: { kept: keptAsRecord },
    gives: ['text', 'version', 'accountName', 'acceptedAt'],
    withholds: { legalAcceptanceId: isBookkeeping },
  },
  legalReminder: {
    own: { loginId: 'login' },
    erased: { kept: 'It says only when a mail went out' },
    gives: ['text', 'version', 'remindedAt'],
  },
};
