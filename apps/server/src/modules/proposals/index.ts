export { openProposalOf, propose } from './proposals.ts';
export { needsSecondPerson } from './two-person-rule.ts';
export { proposalsModule } from './module.ts';
