import type { Module } from '../../platform/module.ts';
import { tasksWords } from './activity-words.ts';
import { echo } from './echo.ts';
import { setAsideRoutes, taskRoutes } from './routes.ts';
import { taskWorkQueue } from './set-aside.ts';
import { findTasks } from './task-finder.ts';

export const tasksModule: Module = {
  name: 'tasks',
  routes: context => [taskRoutes(context), setAsideRoutes(context)],
  tasks: [echo],
  workQueues: [taskWorkQueue],
  memberTasks: [{ name: echo.name, kind: 'Echo', page: 'Echo', bulk: false, items: null }],
  find: findTasks,
  words: tasksWords,
};
