import type { Module } from '../../platform/module.ts';
import { activityLogWords } from './activity-words.ts';

import { activityLogRoutes } from './routes.ts';

export const activityLogModule: Module = {
  name: 'activity-log',
  routes: context => [activityLogRoutes(context)],
  words: activityLogWords,
};
