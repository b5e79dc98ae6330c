export { activityLogModule } from './module.ts';
export { latestActivities, memberActivity } from './routes.ts';
