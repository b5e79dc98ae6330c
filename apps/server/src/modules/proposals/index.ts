export { needsSecondPerson, propose } from './proposals.ts';
export { proposalsModule } from './module.ts';
