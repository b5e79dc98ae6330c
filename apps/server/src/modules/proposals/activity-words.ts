import type { proposals } from '@portal/contract/proposals/proposals';
import { type ModuleWords } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. */
export const proposalsWords = {
  activities: {
    proposals: {
      category: 'account',
      actions: {
        propose: 'Propose a change to a second person',
        setTwoPersonRule: 'Set whether a second person approves',
        approveProposal: 'Approve a change as the second person',
        rejectProposal: 'Reject a change as the second person',
        withdrawProposal: 'Take back a proposed change',
        approveStaffProposal: 'Approve a change as the second person',
        rejectStaffProposal: 'Reject a change as the second person',
        expire: 'Let a proposed change expire',
      },
    },
  },
  unshown: {
    two_person_rule: 'one fact, which the line itself says',
    proposal: 'the lines of proposing and deciding say what it is',
  },
} satisfies ModuleWords<{ proposals: typeof proposals }>;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    proposals: typeof proposalsWords;
  }
}
