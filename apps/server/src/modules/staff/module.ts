import type { Module } from '../../platform/module.ts';
import { staffWords } from './activity-words.ts';
import { staffRoutes } from './routes.ts';
import { findForStaff } from './staff-finder.ts';

export const staffModule: Module = {
  name: 'staff',
  tables: ['replyTemplate', 'savedQueue', 'staffVisit'],
  routes: () => staffRoutes,
  findEverywhere: findForStaff,
  words: staffWords,
};
