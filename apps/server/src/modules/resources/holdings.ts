import { emptySet, type NumberResource, type ResourceSet, resourceSetOf } from '@portal/number-resources';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { type LedgerColumns, resourceOf } from './ledger-columns.ts';

/**
 * Returns the holdings of each of these accounts in this registry, as one set: delegations that lie side by side are one range. Locked and closing ones still count.
 * Answers a set for every account, the empty one too.
 */
export async function holdingsOf(read: Pick<Read, 'rows'>, accountNames: readonly string[]): Promise<Map<string, ResourceSet>> {
  const rows = await read.rows<Pick<LedgerColumns, 'kind' | 'first' | 'last' | 'firstAs' | 'lastAs'> & { accountName: string }>(sql`
    select account_name, kind, host(first) as first, host(last) as last, first_as, last_as from delegation
    where account_name = any(${accountNames}::text[]) and registry = '' and status <> 'closed'`);
  const held = new Map<string, NumberResource[]>(accountNames.map(name => [name, []]));
  for (const row of rows) held.get(row.accountName)!.push(resourceOf(row));
  return new Map([...held].map(([name, resources]) => [name, resources.length === 0 ? emptySet : resourceSetOf(resources)]));
}

/** Returns which of these AS numbers are delegated, by any registry. */
export async function delegatedAsNumbers(read: Pick<Read, 'rows'>, asNumbers: readonly number[]): Promise<Set<number>> {
  if (asNumbers.length === 0) return new Set();
  const rows = await read.rows<{ number: number }>(sql`select number from unnest(${[...new Set(asNumbers)]}::bigint[]) number
    where exists (select from (select last_as from delegation where kind = 'asn' and status <> 'closed' and first_as <= number
      order by first_as desc limit 1) d where d.last_as >= number)`);
  return new Set(rows.map(({ number }) => Number(number)));
}

/** Returns which of these AS numbers are in a registry's pool, without a holder. */
export async function pooledAsNumbers(read: Pick<Read, 'rows'>, asNumbers: readonly number[]): Promise<Set<number>> {
  if (asNumbers.length === 0) return new Set();
  const rows = await read.rows<{ number: number }>(sql`select number from unnest(${[...new Set(asNumbers)]}::bigint[]) number
    where exists (select from pool p where p.kind = 'asn' and p.first_as <= number and p.last_as >= number)`);
  return new Set(rows.map(({ number }) => Number(number)));
}
