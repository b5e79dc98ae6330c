import { type PersonalTables } from '../../platform/personal-data.ts';

/** How the tables of this module speak of people. */
export const nirPersonal: PersonalTables = {
  nirEntity: {
    absent: 'Of a member of a national registry, which answers for it',
    others: {
      address: 'Of a member of a national registry, which answers for it',
      phone: 'Of a member of a national registry, which answers for it',
      email: 'Of a member of a national registry, which answers for it',
    },
  },
  subaccount: {
    absent: 'Of a member of a national registry, which answers for it',
    others: {
      contactName: 'Of a member of a national registry, which answers for it',
      email: 'Of a member of a national registry, which answers for it',
    },
  },
};
