import type { Module } from '../../platform/module.ts';
import { latestActivities } from '../activity-log/index.ts';
import { staffWords } from './activity-words.ts';
import { staffRoutes } from './routes.ts';
import { findForStaff } from './staff-finder.ts';

export const staffModule: Module = {
  name: 'staff',
  tables: ['replyTemplate', 'savedQueue', 'staffVisit'],
  routes: context =>
    staffRoutes({
      clock: context.clock,
      latestActivities: latestActivities(context),
      promiseHours: context.profile.requestPolicy.promiseHours,
    }),
  findEverywhere: findForStaff,
  words: staffWords,
};
