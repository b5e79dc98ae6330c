import { tasks } from '@portal/contract/tasks/tasks';
import type { Config } from '../../config.ts';
import { implement } from '../../platform/endpoints.ts';
import type { Profile } from '../../profile.ts';
import {
  cancelTask,
  exportTasks,
  getTask,
  getTaskReport,
  listTaskItems,
  listTasks,
  retryTask,
  revertTask,
  startEcho,
} from './task-list.ts';

export const taskRoutes = ({ profile, config }: { profile: Profile; config: Config }) => {
  const { product } = profile;
  return implement(tasks, {
    listTasks: ({ read, account, query }) => listTasks(read, account, query, product),
    exportTasks: async ({ read, account, query }) => exportTasks(read, account, query),
    getTask: ({ read, account, params }) => getTask(read, account, params.taskId, product),
    listTaskItems: ({ read, account, params, query }) => listTaskItems(read, account, params.taskId, query),
    getTaskReport: ({ read, account, params, query }) => getTaskReport(read, account, params.taskId, query.format, profile),
    cancelTask: ({ change, account, params }) => cancelTask(change, account, params.taskId, product),
    retryTask: ({ change, account, params, isFresh }) => retryTask(change, account, params.taskId, { isFresh, limits: config }),
    revertTask: ({ change, account, params, isFresh }) => revertTask(change, account, params.taskId, { isFresh, limits: config }),
    echo: ({ change, body }) => startEcho(change, body),
  });
};
