import type { proposals } from '@portal/contract/proposals/proposals';
import { type ModuleWords } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. */
export const proposalsWords = {
  activities: {
    proposals: {
      category: 'account',
      actions: {
        propose: 'Propose a change for approval',
        // What registry staff only consider would warn the account, of a restraint for example. It sees what is carried out.
        proposeAtDesk: { words: 'Propose a change for approval', staffOnly: true },
        setTwoPersonRule: 'Change the two-person rule',
        approveProposal: 'Approve a proposed change',
        rejectProposal: 'Reject a proposed change',
        withdrawProposal: 'Withdraw a proposed change',
        approveStaffProposal: 'Approve a proposed change',
        rejectStaffProposal: { words: 'Reject a proposed change', staffOnly: true },
        expire: 'Expire a proposed change',
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
