import type { legal } from '@portal/contract/legal/legal';
import type { ownTexts } from '@portal/contract/legal/own-texts';
import type { ModuleWords } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. */
export const legalWords = {
  activities: {
    legal: {
      category: 'system',
      unlisted: true,
      actions: {
        startLegalText: 'Write the draft of a legal text',
        saveLegalDraft: 'Save the draft of a legal text',
        discardLegalDraft: 'Discard the draft of a legal text',
        confirmLegalDraft: 'Confirm a version of a legal text',
        withdrawLegalVersion: 'Withdraw a version of a legal text',
        listAcceptances: 'Read who accepted a legal text',
        exportAcceptances: 'Export who accepted a legal text',
        remindOfTexts: 'Remind people of a legal text',
      },
    },
    'legal.ownTexts': {
      category: 'account',
      actions: {
        acceptText: 'Accept a legal text',
        acceptTextForAccount: 'Accept a legal text for the account',
      },
    },
  },
  rows: {
    legal_acceptance: {
      what: 'Accepted text',
      key: ['text', 'version'],
      owner: 'account_name',
      name: ['text'],
      columns: {
        text: { label: 'Text', shape: 'text' },
        version: { label: 'Version', shape: 'text' },
        accepted_at: { label: 'Accepted', shape: 'time' },
      },
      unsaid: ['account_name', 'legal_acceptance_id', 'login_id'],
    },
  },
  unshown: {
    legal_version: 'the registry’s',
    legal_reminder: 'of people, not of accounts',
  },
} satisfies ModuleWords<{ legal: typeof legal; 'legal.ownTexts': typeof ownTexts }>;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    legal: typeof legalWords;
  }
}
