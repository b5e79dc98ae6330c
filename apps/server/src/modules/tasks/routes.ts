import { setAside } from '@portal/contract/tasks/set-aside';
import { tasks } from '@portal/contract/tasks/tasks';
import { implement } from '../../platform/http/endpoints.ts';
import type { ModuleContext } from '../../platform/module.ts';
import { startEcho } from './echo.ts';
import { TaskKinds } from './member-tasks.ts';
import { dropSetAside, listSetAside, retrySetAside } from './set-aside.ts';
import { cancelTask, exportTasks, getTask, getTaskReport, listTaskItems, listTasks, repeatTask } from './task-list.ts';

export const taskRoutes = ({ profile, config, modules }: ModuleContext) => {
  const context = { kinds: new TaskKinds(modules), product: profile.product };
  const writing = { ...context, limits: config };
  return implement(tasks, {
    listTasks: ({ read, account, query }) => listTasks(read, account, query, context),
    exportTasks: async ({ read, account, query }) => exportTasks(read, account, query, context),
    getTask: ({ read, account, params }) => getTask(read, account, params.taskId, context),
    listTaskItems: ({ read, account, params, query }) => listTaskItems(read, account, params.taskId, query, context),
    getTaskReport: ({ read, account, params, query }) => getTaskReport(read, account, params.taskId, query.format, { ...context, profile }),
    cancelTask: ({ change, account, params }) => cancelTask(change, account, params.taskId, context),
    retryTask: ({ change, account, params }) => repeatTask(change, account, params.taskId, 'retry', writing),
    revertTask: ({ change, account, params }) => repeatTask(change, account, params.taskId, 'undo', writing),
    echo: ({ change, body }) => startEcho(change, body),
  });
};

export const setAsideRoutes = ({ modules }: ModuleContext) =>
  implement(setAside, {
    listSetAside: async ({ read }) => ({ rows: await listSetAside(read, modules) }),
    retrySetAside,
    dropSetAside,
  });
