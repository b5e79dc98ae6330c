import { type ModuleWords } from '../../platform/activity-words.ts';

/** Words of the activity log for the command line and the demo registry, which are no modules. */
export const activityLogWords = {
  activities: {
    operator: {
      category: 'system',
      actions: {
        addStaff: 'Add registry staff',
        disableLogin: 'Disable a login',
        unfreezeLogin: 'Give a frozen login back',
        resetMfa: 'Remove second factors',
        verify: 'Look the registry through',
        rotateKeys: 'Replace the keys that sign tokens',
        resealSecrets: 'Seal the secrets at rest with a new key',
        beginBilling: 'Begin to bill memberships',
      },
    },
    demo: {
      category: 'system',
      actions: {
        documents: { words: 'Take over documents', category: 'documents' },
        people: 'Create the demo people',
        tell: 'Tell the demo people something',
        whois: 'Write the demo whois objects',
        elections: 'Publish the demo elections',
        openAccount: { words: 'Open the account', category: 'account' },
        delegate: { words: 'Delegate resources', category: 'resources' },
        assign: { words: 'Register networks', category: 'resources' },
        lateAccount: { words: 'Set the end of the term', category: 'billing' },
        renewal: { words: 'Take over an invoice', category: 'billing' },
        beginBilling: { words: 'Begin to bill memberships', category: 'billing' },
      },
    },
  },
} satisfies ModuleWords;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    activityLog: typeof activityLogWords;
  }
}
