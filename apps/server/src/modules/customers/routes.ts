import { whoisCustomers } from '@portal/contract/customers/customers';
import { implement } from '../../platform/endpoints.ts';
import type { Profile } from '../../profile.ts';
import {
  addAssignment,
  editAssignment,
  getAssignment,
  importAssignments,
  listFreeSpace,
  returnAssignment,
} from './customer-assignments.ts';
import { getCustomer, listCustomers, saveCustomer } from './customers.ts';

export const customerRoutes = ({ profile }: { profile: Profile }) =>
  implement(whoisCustomers, {
    listCustomers: ({ read, account, query }) => listCustomers(read, account, query),
    getCustomer: ({ read, account, query }) => getCustomer(read, account, query.name),
    saveCustomer: ({ change, account, body }) => saveCustomer(change, account, body, profile),
    getAssignment: ({ read, account, params }) => getAssignment(read, account, params.assignmentId),
    listFreeSpace: ({ read, account, query }) => listFreeSpace(read, account, query),
    addAssignment: ({ change, account, body }) => addAssignment(change, account, body, profile),
    changeAssignment: ({ change, account, params, body }) => editAssignment(change, account, params.assignmentId, body, profile),
    returnAssignment: ({ change, account, params }) => returnAssignment(change, account, params.assignmentId, profile),
    importAssignments: ({ change, account, body }) => importAssignments(change, account, body, profile),
  });
