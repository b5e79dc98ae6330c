import { type ModuleWords } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. */
export const numbersPagesWords = {
  activities: {
    numbersPages: {
      category: 'system',
      unlisted: true,
      actions: {
        keepFigures: 'Count the public figures of a day',
      },
    },
  },
  unshown: {
    registry_figures: 'published for everyone, and no member’s',
  },
} satisfies ModuleWords;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    numbersPages: typeof numbersPagesWords;
  }
}
