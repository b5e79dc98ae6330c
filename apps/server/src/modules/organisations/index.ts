export { closeDueAccounts } from './closing.ts';
export { recordOrganisation } from './organisation.ts';
export type { OrganisationDetails } from './organisation-row.ts';
export { organisationRoutes } from './routes.ts';
