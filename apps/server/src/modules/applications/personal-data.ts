import { isBookkeeping, type PersonalTables, keptForItsPeriod } from '../../platform/personal-data.ts';

/** How the tables of this module speak of people. */
export const applicationsPersonal: PersonalTables = {
  membershipApplication: {
    own: { loginId: 'login' },
    erased: { kept: keptForItsPeriod },
    gives: [
      'membershipApplicationId',
      'state',
      'startedAt',
      'since',
      'orgName',
      'economy',
      'accountName',
      'agreementVersion',
      'agreedAt',
      'submittedAt',
      'question',
      'resolvedAt',
    ],
    withholds: {
      form: 'Has other people of the organisation in it; the application shows it to you',
      note: 'Words between registry staff',
      registrationKey: isBookkeeping,
    },
    acts: { reviewer: 'login', resolvedBy: 'login' },
  },
  applicationEvent: {
    absent: 'What happened to an application, as its page shows it; acts.ndjson has what the person did',
    acts: { loginId: 'login' },
  },
  referral: {
    absent: 'Names a person by an address alone, which may have been another person’s before',
    acts: { referredBy: 'contact' },
    others: {
      contactName: 'Named by an address alone, which may have been another person’s before',
      contactEmail: 'Named by an address alone, which may have been another person’s before',
      phone: 'Named by an address alone, which may have been another person’s before',
      technicalContact: 'Named by an address alone, which may have been another person’s before',
    },
  },
  applicationDraft: { absent: 'A draft that its application shows; what was sent is in the copy' },
};
