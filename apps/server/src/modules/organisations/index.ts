export { closureQueue, requestAccountClosure } from './account-closures.ts';
export { closeAccount } from './closing.ts';
export { organisationQueue, requestOrganisationChange } from './organisation-changes.ts';
export { recordOrganisation, updateOrganisation } from './organisation.ts';
export { type OrganisationDetails } from './organisation-row.ts';
export { organisationsModule } from './module.ts';
