import type { Module } from '../../platform/module.ts';
import { staffWords } from './activity-words.ts';

import { latestActivities } from '../activity-log/index.ts';
import { staffRoutes } from './routes.ts';
import { findForStaff } from './staff-finder.ts';

export const staffModule: Module = {
  name: 'staff',
  tables: ['staffVisit'],
  routes: context => staffRoutes({ clock: context.clock, latestActivities: latestActivities(context) }),
  findEverywhere: findForStaff,
  words: staffWords,
};
