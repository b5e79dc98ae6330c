export { latestActivities, linesNamed, memberActivity, ofAccount } from './activity-lines.ts';
export { activityLogModule } from './module.ts';
