export { attendToProposals, needsSecondPerson, propose } from './proposals.ts';
export { proposalRoutes } from './routes.ts';
