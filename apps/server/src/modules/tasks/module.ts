import type { Module } from '../../platform/module.ts';
import { tasksWords } from './activity-words.ts';
import { echo } from './echo.ts';
import { taskRoutes } from './routes.ts';
import { findTasks } from './task-finder.ts';

export const tasksModule: Module = {
  name: 'tasks',
  routes: context => [taskRoutes(context)],
  tasks: [echo],
  memberTasks: [{ name: echo.name, kind: 'Echo', page: 'Echo', bulk: false, items: null }],
  find: findTasks,
  words: tasksWords,
};
