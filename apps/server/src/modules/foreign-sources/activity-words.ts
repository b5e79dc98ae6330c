import { type ModuleWords } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. */
export const foreignSourcesWords = {
  activities: {
    whois: {
      category: 'whois',
      actions: {
        loadForeignCopy: { words: 'Load a copy of another registry’s objects', category: 'system' },
        forgetForeignSource: { words: 'Stop mirroring another registry’s objects', category: 'system' },
      },
    },
  },
} satisfies ModuleWords;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    foreignSources: typeof foreignSourcesWords;
  }
}
