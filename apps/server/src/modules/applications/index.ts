export { attendToApplications } from './deadlines.ts';
export { applicationRoutes } from './routes.ts';
export { applicationQueue } from './staff-applications.ts';
