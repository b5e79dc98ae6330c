import { type PersonalTables } from '../../platform/personal-data.ts';

/** How the tables of this module speak of people. */
export const webhooksPersonal: PersonalTables = {
  webhook: {
    own: { loginId: 'login' },
    erased: { kept: 'Of its account, which goes on with it' },
    gives: [
      'webhookId',
      'accountName',
      'label',
      'categories',
      'refusals',
      'createdAt',
      'pausedAt',
      'disabledAt',
      'disabledWhy',
      'removedAt',
    ],
    withholds: { url: 'Can hold a secret of its receiver' },
  },
};
