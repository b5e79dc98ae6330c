import { untilRemoved } from '../../platform/kept-data.ts';
import type { Module } from '../../platform/module.ts';
import { customersWords } from './activity-words.ts';
import { assignmentMarks } from './assignment-marks.ts';
import { customerRoutes } from './routes.ts';
import { findCustomers } from './customer-finder.ts';
import { customersPersonal } from './personal-data.ts';

export const customersModule: Module = {
  name: 'customers',
  tables: ['customer'],
  personal: customersPersonal,
  records: [assignmentMarks],
  routes: () => customerRoutes,
  find: findCustomers,
  words: customersWords,
  keeps: [
    {
      of: 'customer',
      data: 'Name, address, telephone and e-mail address of a customer',
      purpose: 'The member’s own records. They’re not published',
      until: untilRemoved,
      ends: 'changed',
      tables: ['customer'],
    },
  ],
};
