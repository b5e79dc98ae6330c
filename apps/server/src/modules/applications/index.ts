export { attendToApplications } from './deadlines.ts';
export { applicationQueue } from './staff-applications.ts';
export { applicationsModule } from './module.ts';
