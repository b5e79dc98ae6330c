import type { NumberResource } from '@portal/number-resources';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { columnsOf } from './ledger-columns.ts';

/** The names of the accounts that hold some of these resources, or parts of them, in order. */
export async function accountsHolding(read: Read, resources: readonly NumberResource[]): Promise<string[]> {
  const names = new Set<string>();
  for (const resource of resources) {
    const { kind, first, last, firstAs, lastAs } = columnsOf(resource);
    const rows = await read.rows<{ accountName: string }>(
      kind === 'asn'
        ? sql`select distinct account_name from delegation where kind = 'asn' and registry = '' and status <> 'closed'
            and first_as <= ${lastAs} and last_as >= ${firstAs}`
        : sql`select distinct account_name from delegation where kind = ${kind} and registry = '' and status <> 'closed'
            and first <= ${last}::inet and last >= ${first}::inet`,
    );
    for (const { accountName } of rows) names.add(accountName);
  }
  return [...names].sort();
}
