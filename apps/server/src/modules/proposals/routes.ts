import { proposals } from '@portal/contract/proposals/proposals';
import { implement } from '../../platform/http/endpoints.ts';
import { countApprovers } from './approvers.ts';
import { approveProposal, listProposals, type Perform, rejectProposal, withdrawProposal } from './proposals.ts';
import { hasTwoPersonRule, setTwoPersonRule } from './two-person-rule.ts';

/** @param perform does a call that was approved, in the change that approves it. */
export const proposalRoutes = ({ perform }: { perform: Perform }) =>
  implement(proposals, {
    listProposals: async ({ read, account: { accountName }, caller }) => ({
      rule: await hasTwoPersonRule(read, accountName),
      approvers: await countApprovers(read, accountName),
      ...(await listProposals(read, { accountName }, caller.loginId)),
    }),
    setTwoPersonRule,
    approveProposal: ({ change, account, params, body, caller }) =>
      approveProposal(change, { ...params, ...body, side: account, caller, perform }),
    rejectProposal: ({ change, account, params, body, caller }) => rejectProposal(change, { ...params, ...body, side: account, caller }),
    withdrawProposal: ({ change, account, params, caller }) => withdrawProposal(change, { ...params, side: account, caller }),
    listStaffProposals: ({ read, caller }) => listProposals(read, 'staff', caller.loginId),
    approveStaffProposal: ({ change, params, body, caller }) =>
      approveProposal(change, { ...params, ...body, side: 'staff', caller, perform }),
    rejectStaffProposal: ({ change, params, body, caller }) => rejectProposal(change, { ...params, ...body, side: 'staff', caller }),
  });
