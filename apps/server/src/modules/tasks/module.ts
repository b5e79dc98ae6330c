import type { Module } from '../../platform/module.ts';
import { taskRoutes } from './routes.ts';

export const tasksModule: Module = { name: 'tasks', routes: context => [taskRoutes(context)] };
