export type { CasePermissions } from './case-permissions.ts';
export { openProposalOf, propose } from './proposals.ts';
export { hasTwoPersonRule } from './two-person-rule.ts';
export { proposalsModule } from './module.ts';
