import { whoisCustomers } from '@portal/contract/customers/customers';
import type { Config } from '../../config.ts';
import { afterReading, implement } from '../../platform/http/endpoints.ts';
import { senderOf } from '../../platform/reading-apart.ts';
import type { Profile } from '../../profile.ts';
import { assignmentsApart, importAssignments } from './assignment-file.ts';
import { previewAssignment } from './assignment-preview.ts';
import { addAssignment, editAssignment, getAssignment, returnAssignment } from './customer-assignments.ts';
import { listFreeSpace } from './free-space.ts';
import { getCustomer, listCustomers, saveCustomer } from './customers.ts';

export const customerRoutes = ({ profile, config }: { profile: Profile; config: Config }) => {
  const writing = { profile, limits: config };
  return implement(whoisCustomers, {
    listCustomers,
    getCustomer,
    saveCustomer,
    getAssignment,
    listFreeSpace,
    previewAssignment: ({ change, account, body }) => previewAssignment(change, account, body, writing),
    addAssignment: ({ change, account, body }) => addAssignment(change, account, body, writing),
    changeAssignment: ({ change, account, params, body }) => editAssignment(change, account, params.assignmentId, body, writing),
    returnAssignment,
    importAssignments: afterReading(
      call => assignmentsApart(senderOf(call), call.body.csv, 'csv'),
      ({ change, account, body }, rows) => importAssignments(change, account, rows, body, writing),
    ),
  });
};
