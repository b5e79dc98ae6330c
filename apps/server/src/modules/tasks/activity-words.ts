import type { setAside } from '@portal/contract/tasks/set-aside';
import type { tasks } from '@portal/contract/tasks/tasks';
import { type ModuleWords } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. */
export const tasksWords = {
  activities: {
    tasks: {
      category: 'whois',
      actions: {
        cancelTask: 'Cancel a task',
        retryTask: 'Retry the failed objects of a task',
        revertTask: 'Revert a task',
        echo: { words: 'Send the task runner a message', category: 'system' },
      },
    },
    'tasks.setAside': {
      category: 'system',
      actions: {
        retrySetAside: 'Try work again that was set aside',
        dropSetAside: 'Drop work that was set aside',
      },
    },
  },
} satisfies ModuleWords<{ tasks: typeof tasks; 'tasks.setAside': typeof setAside }>;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    tasks: typeof tasksWords;
  }
}
