export { needsSecondPerson, openProposalOf, propose } from './proposals.ts';
export { proposalsModule } from './module.ts';
