import { type NumberResource, type ResourceSet, resourceSetOf } from '@portal/number-resources';
import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';
import { columnsOf, type LedgerColumns, resourceOf } from '../ledger-columns.ts';

/** The names of the accounts that hold any part of these resources, in order. */
export const accountsHolding = (read: Read, resources: readonly NumberResource[]): Promise<string[]> =>
  accountsAffected(read, { resources, economies: [], kinds: [] });

/**
 * The names of the accounts that hold a resource matching all filters, in order: part of one of these resources, under one of these economies, of one
 * of these kinds. An empty filter is ignored; if all are empty, none match.
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

/** Addresses of these as parallel arrays, and AS numbers as others. */
const arraysOf = (resources: readonly NumberResource[]) => {
  const all = resources.map(columnsOf);
  const [addresses, numbers] = [all.filter(({ kind }) => kind !== 'asn'), all.filter(({ kind }) => kind === 'asn')];
  return {
    addresses: sql`unnest(${addresses.map(({ first }) => first)}::inet[], ${addresses.map(({ last }) => last)}::inet[]) as w (first, last)`,
    numbers: sql`unnest(${numbers.map(({ firstAs }) => firstAs)}::bigint[], ${numbers.map(({ lastAs }) => lastAs)}::bigint[]) as w (first, last)`,
  };
};

/** Returns the accounts that hold any of many resources, each once, with one indexed statement. */
export async function accountsMeeting(read: Pick<Read, 'rows'>, resources: readonly NumberResource[]): Promise<string[]> {
  if (resources.length === 0) return [];
  const { addresses, numbers } = arraysOf(resources);
  const rows = await read.rows<{ accountName: string }>(sql`
    select d.account_name from ${addresses} cross join lateral (
      select account_name from (select account_name, registry, last from delegation where kind <> 'asn' and status <> 'closed' and first <= w.first
        order by first desc limit 1) p where p.last >= w.first and p.registry = ''
      union select account_name from delegation where kind <> 'asn' and status <> 'closed' and registry = '' and first > w.first and first <= w.last) d
    union select d.account_name from ${numbers} cross join lateral (
      select account_name from (select account_name, registry, last_as from delegation where kind = 'asn' and status <> 'closed' and first_as <= w.first
        order by first_as desc limit 1) p where p.last_as >= w.first and p.registry = ''
      union select account_name from delegation where kind = 'asn' and status <> 'closed' and registry = '' and first_as > w.first and first_as <= w.last) d`);
  return rows.map(({ accountName }) => accountName);
}

/** Returns which of these resources the ledger knows although they aren't held: free, quarantined or reserved ones, and formerly held ones. */
export async function knownWithoutHolder(read: Pick<Read, 'rows'>, resources: readonly NumberResource[]): Promise<NumberResource[]> {
  if (resources.length === 0) return [];
  const all = resources.map(columnsOf);
  const rows = await read.rows<{
    place: number;
  }>(sql`select w.place::int from unnest(${all.map(({ kind }) => kind)}::text[], ${all.map(({ first }) => first)}::inet[],
      ${all.map(({ last }) => last)}::inet[], ${all.map(({ firstAs }) => firstAs)}::bigint[], ${all.map(({ lastAs }) => lastAs)}::bigint[])
      with ordinality as w (kind, first, last, first_as, last_as, place)
    where case w.kind when 'asn' then
        exists (select from pool p where p.registry = '' and p.kind = 'asn' and p.first_as <= w.last_as and p.last_as >= w.first_as)
        or exists (select from delegation d where d.registry = '' and d.kind = 'asn' and d.status = 'closed' and d.first_as <= w.last_as and d.last_as >= w.first_as)
      else exists (select from pool p where p.registry = '' and p.kind <> 'asn' and p.first <= w.last and p.last >= w.first)
        or exists (select from delegation d where d.registry = '' and d.kind <> 'asn' and d.status = 'closed' and d.first <= w.last and d.last >= w.first) end`);
  return rows.map(({ place }) => resources[place - 1]!);
}

/** The resources of former delegations of some accounts, as one set each. */
export async function formerHoldingsOf(read: Pick<Read, 'rows'>, accountNames: readonly string[]): Promise<Map<string, ResourceSet>> {
  if (accountNames.length === 0) return new Map();
  const rows = await read.rows<Pick<LedgerColumns, 'kind' | 'first' | 'last' | 'firstAs' | 'lastAs'> & { accountName: string }>(sql`
    select account_name, kind, host(first) as first, host(last) as last, first_as, last_as from delegation
    where account_name = any(${[...accountNames]}::text[]) and registry = '' and status = 'closed'`);
  const held = Map.groupBy(rows, ({ accountName }) => accountName);
  return new Map([...held].map(([name, list]) => [name, resourceSetOf(list.map(resourceOf))]));
}
