import type { ModuleWords } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. */
export const reportPagesWords = {
  activities: {
    reportPages: {
      category: 'system',
      unlisted: true,
      actions: {
        askToSend: 'Ask to send a report of wrong data',
        send: 'Send a report of wrong data',
      },
    },
  },
} satisfies ModuleWords;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    'report-pages': typeof reportPagesWords;
  }
}
