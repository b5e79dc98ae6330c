import type { watchers } from '@portal/contract/status-pages/watchers';
import type { ModuleWords } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. */
export const statusPagesWords = {
  activities: {
    'statusPages.watchers': {
      category: 'system',
      unlisted: true,
      actions: {
        addWatcher: 'Create a token of a watcher',
        renameWatcher: 'Rename a watcher',
        revokeWatcher: 'Revoke the token of a watcher',
      },
    },
  },
  unshown: { watcher: 'the registry’s' },
} satisfies ModuleWords<{ 'statusPages.watchers': typeof watchers }>;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    'status-pages': typeof statusPagesWords;
  }
}
