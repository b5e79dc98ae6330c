import { ofAccount, type PersonalTables } from '../../platform/personal-data.ts';

/** How the tables of this module speak of people. */
export const organisationsPersonal: PersonalTables = {
  accountClosureRequest: { acts: { requestedBy: 'contact', resolvedBy: 'login', withdrawnBy: 'contact' } },
  organisation: {
    absent: 'Of an account or organisation, whose contacts see it',
    others: { postalAddress: ofAccount, phone: ofAccount, abuseEmail: ofAccount, billingAddress: ofAccount, billingEmail: ofAccount },
  },
  organisationChange: { acts: { requestedBy: 'contact', reviewer: 'login', resolvedBy: 'login', withdrawnBy: 'contact' } },
};
