import { whoisRecords } from '@portal/contract/records/records';
import { implement } from '../../platform/http/endpoints.ts';
import type { ModuleContext } from '../../platform/module.ts';
import { getRecord } from './resource-record.ts';

export const recordRoutes = (context: ModuleContext) =>
  implement(whoisRecords, { getRecord: ({ read, account, query }) => getRecord(read, account, query, context) });
