import type { Module } from '../../platform/module.ts';
import { activityLogWords } from './activity-words.ts';
import { activityLogRoutes } from './routes.ts';

export const activityLogModule: Module = {
  name: 'activity-log',
  routes: () => activityLogRoutes,
  words: activityLogWords,
};
