export { closureQueue } from './account-closures.ts';
export { closeDueAccounts } from './closing.ts';
export { organisationQueue } from './organisation-changes.ts';
export { recordOrganisation } from './organisation.ts';
export type { OrganisationDetails } from './organisation-row.ts';
export { organisationRoutes } from './routes.ts';
