export { latestActivities, linesNamed, memberActivity } from './activity-lines.ts';
export { activityLogModule } from './module.ts';
