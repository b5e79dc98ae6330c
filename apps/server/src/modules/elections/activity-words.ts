import type { conferences } from '@portal/contract/elections/conferences';
import type { elections } from '@portal/contract/elections/elections';
import { type ModuleWords } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. */
export const electionsWords = {
  activities: {
    elections: {
      category: 'system',
      unlisted: true,
      actions: {
        addElection: 'Add an election',
        changeElection: 'Change an election',
        publishElection: 'Publish an election',
        cancelElection: 'Cancel an election',
      },
    },
    'elections.conferences': {
      category: 'system',
      unlisted: true,
      actions: { addConference: 'Add a conference', importAttendance: 'Import conference attendance' },
    },
  },
  unshown: {
    election: 'the registry’s',
    election_window: 'the registry’s',
    conference: 'the registry’s',
    attendance: 'a person’s',
  },
} satisfies ModuleWords<{ elections: typeof elections; 'elections.conferences': typeof conferences }>;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    elections: typeof electionsWords;
  }
}
