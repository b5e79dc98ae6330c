import type { ModuleWords } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. They never contain choices. */
export const ballotsWords = {
  activities: {
    ballots: {
      category: 'account',
      actions: {
        castBallot: 'Cast a ballot',
        sortBallots: 'Store the ballots of an election in the order of their receipts',
        mixBox: 'Write the ballots in the box anew, in the order of their receipts',
        wipeBox: 'Exchange the file of the empty ballot box',
      },
    },
  },
} satisfies ModuleWords;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    ballots: typeof ballotsWords;
  }
}
