import { proposals } from '@portal/contract/proposals/proposals';
import { type Implementation, implement } from '../../platform/http/endpoints.ts';
import type { RouteContext } from '../../platform/module.ts';
import { proposalCases } from './cases.ts';
import {
  approveProposal,
  approveStaffProposal,
  listProposals,
  listStaffProposals,
  rejectProposal,
  rejectStaffProposal,
  withdrawProposal,
} from './proposals.ts';
import { setTwoPersonRule } from './two-person-rule.ts';

/** @param perform carries out an approved call, in the change that approves it */
export const proposalRoutes = ({ perform }: Pick<RouteContext, 'perform'>): readonly Implementation[] => [
  implement(
    proposals,
    {
      listProposals,
      setTwoPersonRule,
      approveProposal: act => approveProposal(act, perform),
      rejectProposal,
      withdrawProposal,
      listStaffProposals,
      approveStaffProposal: act => approveStaffProposal(act, perform),
      rejectStaffProposal,
    },
    proposalCases,
  ),
];
