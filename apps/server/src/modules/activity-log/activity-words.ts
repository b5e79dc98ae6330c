import { type ModuleWords } from '../../platform/activity-words.ts';

/** Words of the activity log for the command line and the demo registry, which are no modules. */
export const activityLogWords = {
  activities: {
    operator: {
      category: 'system',
      actions: {
        addStaff: 'Add registry staff',
        disableLogin: 'Disable a login',
        enableLogin: 'Enable a login',
        unfreezeLogin: 'Unfreeze a login',
        resetMfa: 'Remove second factors',
        verify: 'Verify the registry',
        rotateKeys: 'Replace the keys that sign tokens',
        resealSecrets: 'Seal the secrets at rest with a new key',
        beginBilling: 'Start billing memberships',
        announceFees: 'Announce fees',
      },
    },
    demo: {
      category: 'system',
      actions: {
        documents: { words: 'Import documents', category: 'documents' },
        people: 'Create the demo people',
        roles: 'Give the demo people their roles',
        tell: 'Load the demo registry',
        whois: 'Write the demo whois objects',
        openElection: 'Open a demo vote',
        changePolicy: 'Change the demo policy',
        closedVote: 'Hold a demo vote',
        fillPools: 'Fill the demo pools',
        figures: 'Write the demo figures of past months',
        request: { words: 'Send a demo request', category: 'resources' },
        ticket: 'Write a demo ticket',
        notify: 'Notify the demo people',
        organisations: { words: 'Record organisation details', category: 'account' },
        elections: 'Publish the demo elections',
        events: 'Publish the demo events',
        announcements: 'Write the demo announcements',
        openAccount: { words: 'Open account', category: 'account' },
        delegate: { words: 'Delegate resources', category: 'resources' },
        assign: { words: 'Register networks', category: 'resources' },
        addLegalTexts: 'Write the demo legal texts',
        acceptLegalTexts: 'Accept the demo legal texts',
        announceFees: { words: 'Announce fees', category: 'billing' },
        lateAccount: { words: 'Set the end of the term', category: 'billing' },
        renewal: { words: 'Import an invoice', category: 'billing' },
        beginBilling: { words: 'Start billing memberships', category: 'billing' },
      },
    },
  },
} satisfies ModuleWords;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    activityLog: typeof activityLogWords;
  }
}
