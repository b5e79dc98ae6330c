import { whoisCustomers } from '@portal/contract/customers/customers';
import { afterReading, type Implementation, implement } from '../../platform/http/endpoints.ts';
import { importAssignments, readAssignmentFile } from './assignment-file.ts';
import { previewAssignment } from './assignment-preview.ts';
import { addAssignment, changeAssignment, getAssignment, returnAssignment } from './customer-assignments.ts';
import { getCustomer, listCustomers, saveCustomer } from './customers.ts';
import { listFreeSpace } from './free-space.ts';

export const customerRoutes: readonly Implementation[] = [
  implement(whoisCustomers, {
    listCustomers,
    getCustomer,
    saveCustomer,
    getAssignment,
    listFreeSpace,
    previewAssignment,
    addAssignment,
    changeAssignment,
    returnAssignment,
    importAssignments: afterReading(readAssignmentFile, importAssignments),
  }),
];
