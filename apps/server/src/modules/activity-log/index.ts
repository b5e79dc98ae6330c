export { activityLogRoutes, latestActivities } from './routes.ts';
