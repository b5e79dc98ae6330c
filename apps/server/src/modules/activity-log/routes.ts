import { activityLog } from '@portal/contract/activity-log/activity-log';
import { type Implementation, implement } from '../../platform/http/endpoints.ts';
import { getActivity } from './activity-detail.ts';
import { countNewer, exportActivities, getActivityLog, listActivities, listDays } from './activity-lines.ts';
import { exportLogProof } from './log-proof.ts';

export const activityLogRoutes: readonly Implementation[] = [
  implement(activityLog, {
    listActivities,
    listDays,
    countNewer,
    getActivityLog,
    exportActivities,
    exportLogProof,
    getActivity,
  }),
];
