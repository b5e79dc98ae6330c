import type { policy } from '@portal/contract/policy/policy';
import type { ModuleWords } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. */
export const policyWords = {
  activities: {
    policy: {
      category: 'system',
      unlisted: true,
      actions: {
        preparePolicyChange: 'Prepare a change of the policy',
        discardPolicyChange: 'Discard a change of the policy',
        confirmPolicyChange: 'Confirm a change of the policy',
        withdrawPolicyChange: 'Withdraw a change of the policy',
        remindOfChanges: 'Remind of changes of the policy',
      },
    },
  },
  unshown: {
    policy_change: 'the registry’s',
    policy_value: 'the registry’s',
  },
} satisfies ModuleWords<{ policy: typeof policy }>;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    policy: typeof policyWords;
  }
}
