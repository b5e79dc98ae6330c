export { applicationQueue } from './staff-applications.ts';
export { applicationsModule } from './module.ts';
