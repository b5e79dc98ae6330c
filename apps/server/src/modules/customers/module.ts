import type { Module } from '../../platform/module.ts';
import { customersWords } from './activity-words.ts';
import { assignmentMarks } from './assignment-marks.ts';
import { customerRoutes } from './routes.ts';
import { findCustomers } from './customer-finder.ts';

export const customersModule: Module = {
  name: 'customers',
  tables: ['customer'],
  records: [assignmentMarks],
  routes: () => customerRoutes,
  find: findCustomers,
  words: customersWords,
};
