import { isBookkeeping, ofAccount, type PersonalTables } from '../../platform/personal-data.ts';

/** How the tables of this module speak of people. */
export const accountsPersonal: PersonalTables = {
  contact: {
    own: { loginId: 'login' },
    erased: {
      replaced: { fullName: 'person', email: 'address', phone: 'empty', position: 'empty' },
      stays: [
        'contactId',
        'accountName',
        'contactTypes',
        'permissions',
        'status',
        'createdAt',
        'maintainers',
        'confirmedAt',
        'confirmationAskedAt',
        'removedAt',
        'helperUntil',
        'helperWarnedAt',
        'version',
      ],
    },
    gives: [
      'contactId',
      'accountName',
      'fullName',
      'email',
      'contactTypes',
      'permissions',
      'status',
      'createdAt',
      'phone',
      'position',
      'maintainers',
      'confirmedAt',
      'confirmationAskedAt',
      'removedAt',
      'helperUntil',
      'helperWarnedAt',
    ],
    withholds: { version: isBookkeeping },
  },
  accountSafety: { absent: 'Of an account or organisation, whose contacts see it', others: { securityEmail: ofAccount } },
};
