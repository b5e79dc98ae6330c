import { whoisRecords } from '@portal/contract/records/records';
import { implement } from '../../platform/http/endpoints.ts';
import { getRecord } from './resource-record.ts';

export const recordRoutes = implement(whoisRecords, { getRecord });
