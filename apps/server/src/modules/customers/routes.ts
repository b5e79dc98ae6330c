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
    listCustomers: ({ read, account, query }) => listCustomers(read, account, query),
    getCustomer: ({ read, account, query }) => getCustomer(read, account, query.name),
    saveCustomer: ({ change, account, body }) => saveCustomer(change, account, body, writing),
    getAssignment: ({ read, account, params }) => getAssignment(read, account, params.assignmentId),
    listFreeSpace: ({ read, account, query }) => listFreeSpace(read, account, query),
    previewAssignment: ({ change, account, body }) => previewAssignment(change, account, body, writing),
    addAssignment: ({ change, account, body }) => addAssignment(change, account, body, writing),
    changeAssignment: ({ change, account, params, body }) => editAssignment(change, account, params.assignmentId, body, writing),
    returnAssignment: ({ change, account, params }) => returnAssignment(change, account, params.assignmentId, writing),
    importAssignments: afterReading(
      call => assignmentsApart(senderOf(call), call.body.csv, 'csv'),
      ({ change, account, body }, rows) => importAssignments(change, account, rows, body, writing),
    ),
  });
};
