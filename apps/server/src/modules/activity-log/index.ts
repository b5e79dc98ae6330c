export { latestActivities } from './routes.ts';
export { activityLogModule } from './module.ts';
