import type { Module } from '../../platform/module.ts';
import { activityLogWords } from './activity-words.ts';
import { activityLogRoutes } from './routes.ts';

export const activityLogModule: Module = {
  name: 'activity-log',
  routes: () => activityLogRoutes,
  demo: () => import('./demo.ts'),
  words: activityLogWords,
  keeps: [
    {
      of: 'login',
      data: 'Who did something, when, and from which internet address',
      purpose: 'So that members can check what was done in their name',
      until: 'Permanently: the log is sealed, and can’t be changed by anyone',
      ends: 'record',
      tables: ['activity'],
    },
  ],
};
