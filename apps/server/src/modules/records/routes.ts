import { whoisRecords } from '@portal/contract/records/records';
import { type Implementation, implement } from '../../platform/http/endpoints.ts';
import { getRecord } from './resource-record.ts';

export const recordRoutes: readonly Implementation[] = [implement(whoisRecords, { getRecord })];
