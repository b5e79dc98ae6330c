import { type PersonalTables } from '../../platform/personal-data.ts';

/** How the tables of this module speak of people. */
export const privacyPersonal: PersonalTables = {
  endingPeriod: { acts: { agreedBy: 'login' } },
  legalHold: {
    absent: 'A hold can be part of an investigation, which its person is not told of by the program',
    acts: { placedBy: 'login', releasedBy: 'login' },
    others: { loginId: 'Can be part of an investigation' },
  },
};
