import type { NumberResource } from '@portal/number-resources';
import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';
import { columnsOf } from '../ledger-columns.ts';

/** The names of the accounts that hold some of these resources, or parts of them, in order. */
export const accountsHolding = (read: Read, resources: readonly NumberResource[]): Promise<string[]> =>
  accountsAffected(read, { resources, economies: [], kinds: [] });

/**
 * The names of the accounts that hold a resource to which all that is given applies, in order: it is one of these or a part of one, it is registered under
 * one of these economies, it is of one of these kinds. What is empty rules nothing out; all empty: none.
 */
export async function accountsAffected(
  read: Read,
  { resources, economies, kinds }: { resources: readonly NumberResource[]; economies: readonly string[]; kinds: readonly string[] },
): Promise<string[]> {
  if (resources.length + economies.length + kinds.length === 0) return [];
  const narrowed = sql`registry = '' and status <> 'closed'
    and ${economies.length === 0 ? sql`true` : sql`economy = any (${[...economies]}::text[])`}
    and ${kinds.length === 0 ? sql`true` : sql`kind = any (${[...kinds]}::text[])`}`;
  const ranges = resources.map(resource => {
    const { kind, first, last, firstAs, lastAs } = columnsOf(resource);
    return kind === 'asn'
      ? sql`kind = 'asn' and first_as <= ${lastAs} and last_as >= ${firstAs}`
      : sql`kind = ${kind} and first <= ${last}::inet and last >= ${first}::inet`;
  });
  const names = new Set<string>();
  for (const range of ranges.length === 0 ? [sql`true`] : ranges) {
    const rows = await read.rows<{ accountName: string }>(sql`select distinct account_name from delegation where ${range} and ${narrowed}`);
    for (const { accountName } of rows) names.add(accountName);
  }
  return [...names].sort();
}
