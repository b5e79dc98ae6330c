export { attendToApplications } from './deadlines.ts';
export { applicationRoutes } from './routes.ts';
