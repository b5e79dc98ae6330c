import type { Module } from '../../platform/module.ts';
import { taskNames } from './act-names.ts';
import { tasksWords } from './activity-words.ts';
import { echoTask } from './echo.ts';
import { taskRoutes } from './routes.ts';
import { taskWorkQueue } from './set-aside.ts';
import { findTasks } from './task-finder.ts';

export const tasksModule: Module = {
  name: 'tasks',
  routes: () => taskRoutes,
  tasks: [echoTask],
  workQueues: [taskWorkQueue],
  memberTasks: [{ name: echoTask.name, kind: 'Echo', page: 'Echo', bulk: false, items: null }],
  find: findTasks,
  actNames: taskNames,
  words: tasksWords,
};
