import { setAside } from '@portal/contract/tasks/set-aside';
import { tasks } from '@portal/contract/tasks/tasks';
import { type Implementation, implement } from '../../platform/http/endpoints.ts';
import { echo } from './echo.ts';
import { dropSetAside, listSetAside, retrySetAside } from './set-aside.ts';
import { cancelTask, exportTasks, getTask, getTaskReport, listTaskItems, listTasks, retryTask, revertTask } from './task-list.ts';

export const taskRoutes: readonly Implementation[] = [
  implement(tasks, {
    listTasks,
    exportTasks,
    getTask,
    listTaskItems,
    getTaskReport,
    cancelTask,
    retryTask,
    revertTask,
    echo,
  }),
  implement(setAside, {
    listSetAside,
    retrySetAside,
    dropSetAside,
  }),
];
