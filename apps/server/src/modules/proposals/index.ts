export { type CasePermissions, type DecisionPageOf, decisionPageOf } from './case-permissions.ts';
export { listStaffProposals, openProposalOf, propose } from './proposals.ts';
export { waitingBelow } from './waiting-on-pages.ts';
export { hasTwoPersonRule } from './two-person-rule.ts';
export { proposalsModule } from './module.ts';
