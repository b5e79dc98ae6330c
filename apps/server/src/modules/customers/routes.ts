import { whoisCustomers } from '@portal/contract/customers/customers';
import type { Config } from '../../config.ts';
import { implement } from '../../platform/http/endpoints.ts';
import type { Profile } from '../../profile.ts';
import { importAssignments } from './assignment-file.ts';
import { previewAssignment } from './assignment-preview.ts';
import { addAssignment, editAssignment, getAssignment, returnAssignment } from './customer-assignments.ts';
import { listFreeSpace } from './free-space.ts';
import { getCustomer, listCustomers, saveCustomer } from './customers.ts';

export const customerRoutes = ({ profile, config }: { profile: Profile; config: Config }) => {
  const writing = (isFresh: boolean) => ({ profile, limits: config, isFresh });
  return implement(whoisCustomers, {
    listCustomers: ({ read, account, query }) => listCustomers(read, account, query),
    getCustomer: ({ read, account, query }) => getCustomer(read, account, query.name),
    saveCustomer: ({ change, account, body, isFresh }) => saveCustomer(change, account, body, writing(isFresh)),
    getAssignment: ({ read, account, params }) => getAssignment(read, account, params.assignmentId),
    listFreeSpace: ({ read, account, query }) => listFreeSpace(read, account, query),
    previewAssignment: ({ change, account, body, isFresh }) => previewAssignment(change, account, body, writing(isFresh)),
    addAssignment: ({ change, account, body, isFresh }) => addAssignment(change, account, body, writing(isFresh)),
    changeAssignment: ({ change, account, params, body, isFresh }) =>
      editAssignment(change, account, params.assignmentId, body, writing(isFresh)),
    returnAssignment: ({ change, account, params, isFresh }) => returnAssignment(change, account, params.assignmentId, writing(isFresh)),
    importAssignments: ({ change, account, body, isFresh }) => importAssignments(change, account, body, writing(isFresh)),
  });
};
