export { closureQueue } from './account-closures.ts';
export { closeAccount } from './closing.ts';
export { organisationQueue } from './organisation-changes.ts';
export { billingEmailOf, recordOrganisation, registrationOf, updateOrganisation } from './organisation.ts';
export { organisationsModule } from './module.ts';
