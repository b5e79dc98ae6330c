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
  },
} satisfies ModuleWords<{ tasks: typeof tasks }>;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    tasks: typeof tasksWords;
  }
}
