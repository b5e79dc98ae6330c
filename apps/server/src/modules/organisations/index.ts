export { closureQueue } from './account-closures.ts';
export { closeAccount } from './closing.ts';
export { organisationQueue } from './organisation-changes.ts';
export { recordOrganisation } from './organisation.ts';
export { type OrganisationDetails } from './organisation-row.ts';
export { organisationsModule } from './module.ts';
