export { applicationsModule } from './module.ts';
export { askedResources } from './new-member.ts';
export { applicationQueue } from './staff-applications.ts';
