import type { ActivityLine } from '@portal/contract/activity-log/activity-log';
import { desk } from '@portal/contract/staff/desk';
import { staffQueues } from '@portal/contract/staff/queues';
import { replyTemplates } from '@portal/contract/staff/reply-templates';
import { staff } from '@portal/contract/staff/staff';
import type { Read } from '../../platform/database/index.ts';
import { type AdmittedAccount, type Implementation, implement } from '../../platform/http/endpoints.ts';
import { getAccountSheet } from './account-sheet.ts';
import { findHolders } from './holders.ts';
import { findPeople } from './people.ts';
import { deleteQueue, listQueues, saveQueue } from './queues.ts';
import { addReplyTemplate, changeReplyTemplate, deleteReplyTemplate, listReplyTemplates } from './reply-templates.ts';
import { listRequests } from './requests.ts';
import { endVisit, startVisit, visitOf } from './visits.ts';

/** @param latestActivities the newest lines of an account's activity log. */
export const staffRoutes = ({
  latestActivities,
  clock,
  promiseHours,
}: {
  latestActivities: (read: Read, account: AdmittedAccount, limit: number) => Promise<ActivityLine[]>;
  clock: () => Date;
  promiseHours: number;
}): Implementation[] => [
  implement(staff, {
    findHolders,
    startVisit,
    endVisit,
    getVisit: async ({ read, caller }) => ({ visit: await visitOf(read, caller.loginId, clock()) }),
  }),
  implement(desk, {
    findPeople,
    getAccountSheet: ({ read, params, caller }) =>
      getAccountSheet(read, params.accountName, { caller, latestActivities, when: { now: clock(), promiseHours } }),
    listRequests,
  }),
  implement(staffQueues, {
    listQueues,
    saveQueue,
    deleteQueue,
  }),
  implement(replyTemplates, {
    listReplyTemplates,
    addReplyTemplate,
    changeReplyTemplate,
    deleteReplyTemplate,
  }),
];
