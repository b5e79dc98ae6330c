import type { privacy } from '@portal/contract/privacy/privacy';
import type { ModuleWords } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. */
export const privacyWords = {
  activities: {
    privacy: {
      category: 'system',
      unlisted: true,
      actions: {
        listHolds: 'Read legal holds',
        placeHold: 'Place a legal hold',
        releaseHold: 'Release a legal hold',
        agreeToEnding: 'Agree to delete a large part of personal data',
        listErasures: 'Read requests to erase people',
        fileErasure: 'File a request to erase a person',
        refuseErasure: 'Refuse to erase a person',
        erasePerson: 'Erase a person',
        forgetLastMails: 'Delete the last mails to people who were erased',
        notePeriods: 'Note how long personal data is kept',
        endWhatIsOver: 'Delete personal data whose time is over',
      },
    },
  },
  unshown: {
    ended_data: 'the registry’s',
    ending_period: 'the registry’s',
    history_cut: 'the registry’s',
    legal_hold: 'the registry’s',
  },
} satisfies ModuleWords<{ privacy: typeof privacy }>;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    privacy: typeof privacyWords;
  }
}
