import { type PersonalTables } from '../../platform/personal-data.ts';

/** How the tables of this module speak of people. */
export const customersPersonal: PersonalTables = {
  customer: {
    absent: 'Of a customer of a member, who answers for it',
    others: {
      address: 'Of a customer of a member, who answers for it',
      contactName: 'Of a customer of a member, who answers for it',
      phone: 'Of a customer of a member, who answers for it',
      email: 'Of a customer of a member, who answers for it',
    },
  },
};
