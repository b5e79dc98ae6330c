import {
  emptySet,
  intersectSets,
  listResources,
  type NumberResource,
  parseResource,
  type ResourceSet,
  resourceSetOf,
} from '@portal/number-resources';
import { sql, type RawBuilder } from 'kysely';
import { breathing } from '../../../platform/breathing.ts';
import { frequent, PAGE_ROWS, type Read } from '../../../platform/database/index.ts';
import { columnsOf, type DelegationPurpose, type LedgerColumns, resourceOf } from '../ledger-columns.ts';

/** Returns how many delegations an account has. */
export async function countDelegations(read: Pick<Read, 'rows'>, accountName: string): Promise<number> {
  const [counted] = await read.rows<{ delegations: number }>(
    sql`select count(*)::int as delegations from delegation where account_name = ${accountName} and status <> 'closed'`,
  );
  return counted!.delegations;
}

/**
 * Returns the holdings of each of these accounts in this registry, as one set: adjacent delegations become one range. Locked and closing ones still
 * count. Returns a set for every account, possibly empty.
 */
export async function holdingsOf(read: Pick<Read, 'rows'>, accountNames: readonly string[]): Promise<Map<string, ResourceSet>> {
  const rows = await read.rows<Pick<LedgerColumns, 'kind' | 'first' | 'last' | 'firstAs' | 'lastAs'> & { accountName: string }>(
    frequent(sql`
    select account_name, kind, host(first) as first, host(last) as last, first_as, last_as from delegation
    where account_name = any(${accountNames}::text[]) and registry = '' and status <> 'closed'`),
  );
  const held = new Map<string, NumberResource[]>(accountNames.map(name => [name, []]));
  for (const row of rows) held.get(row.accountName)!.push(resourceOf(row));
  return new Map([...held].map(([name, resources]) => [name, resources.length === 0 ? emptySet : resourceSetOf(resources)]));
}

/** Returns the part of these numbers that someone other than this account holds now, of this registry or another. */
export async function heldByOthers(read: Pick<Read, 'rows'>, accountName: string, numbers: ResourceSet): Promise<ResourceSet> {
  const ranges = listResources(numbers).map(columnsOf);
  const rows = await read.rows<Pick<LedgerColumns, 'kind' | 'first' | 'last' | 'firstAs' | 'lastAs'>>(sql`
    select d.kind, host(d.first) as first, host(d.last) as last, d.first_as, d.last_as from unnest(${ranges.map(({ kind }) => kind)}::text[],
      ${ranges.map(({ first }) => first)}::inet[], ${ranges.map(({ last }) => last)}::inet[], ${ranges.map(({ firstAs }) => firstAs)}::bigint[],
      ${ranges.map(({ lastAs }) => lastAs)}::bigint[]) as n (kind, first, last, first_as, last_as)
    cross join lateral (
      select * from delegation where n.kind <> 'asn' and kind = n.kind and kind <> 'asn' and inetrange(first, last, '[]') && inetrange(n.first, n.last, '[]') and status <> 'closed'
      union all select * from delegation where n.kind = 'asn' and kind = 'asn' and int8range(first_as, last_as, '[]') && int8range(n.first_as, n.last_as, '[]')
        and status <> 'closed' offset 0) d
    where d.account_name is distinct from ${accountName}`);
  return rows.length === 0 ? emptySet : intersectSets(numbers, resourceSetOf(rows.map(resourceOf)));
}

/** Returns which of these AS numbers are delegated, by any registry. */
export const delegatedAsNumbers = (read: Pick<Read, 'rows'>, asNumbers: readonly number[]): Promise<Set<number>> =>
  asNumbersThat(
    read,
    asNumbers,
    sql`exists (select from (select last_as from delegation where kind = 'asn' and status <> 'closed' and first_as <= number
    order by first_as desc limit 1) d where d.last_as >= number)`,
  );

/** Returns which of these AS numbers are in a registry's pool. */
export const pooledAsNumbers = (read: Pick<Read, 'rows'>, asNumbers: readonly number[]): Promise<Set<number>> =>
  asNumbersThat(read, asNumbers, sql`exists (select from pool p where p.kind = 'asn' and p.first_as <= number and p.last_as >= number)`);

/** Asked a page at a time: there may be tens of thousands. */
async function asNumbersThat(read: Pick<Read, 'rows'>, asNumbers: readonly number[], are: RawBuilder<unknown>): Promise<Set<number>> {
  const breathe = breathing();
  const asked = new Set<number>();
  const found = new Set<number>();
  const ask = async (page: readonly number[]): Promise<void> => {
    const rows = await read.rows<{ number: number }>(sql`select number from unnest(${page}::bigint[]) number where ${are}`);
    for (const { number } of rows) found.add(Number(number));
  };
  let page: number[] = [];
  for (const number of asNumbers) {
    if (!asked.has(number)) page.push(number);
    asked.add(number);
    if (page.length === PAGE_ROWS) {
      await ask(page);
      page = [];
    }
    await breathe();
  }
  if (page.length > 0) await ask(page);
  return found;
}

/** A holding of an account, one per delegation, for the rules of requests and transfers. */
export type HeldBlock = {
  delegationId: number;
  kind: LedgerColumns['kind'];
  resource: string;
  size: string;
  source: 'delegated' | 'transferred' | 'historical';
  status: 'active' | 'locked' | 'closing';
  type: 'allocated' | 'assigned';
  delegatedOn: string | null;
  holdUntil: string | null;
  /** For an exchange or an event only. */
  purpose: DelegationPurpose | null;
  /** The last day of space for an event. */
  endsOn: string | null;
  /** Addresses that are registered below it. */
  used: string;
  /** Whether its holder locked it against transfer and return. */
  ownLock: boolean;
};

/**
 * Lists the delegations of an account, with what is registered below each. The sums are made once for all: an account may have thousands of delegations, and without statistics the planner
 * would make them for each.
 */
export const heldBlocks = (read: Pick<Read, 'rows'>, accountName: string): Promise<HeldBlock[]> =>
  read.rows<HeldBlock>(
    frequent(sql`with u as materialized (
      select delegation_id, sum(size) as used from assignment where account_name = ${accountName} and level = 0 group by delegation_id)
    select d.delegation_id, d.kind, d.resource, d.size::text, d.source, d.status, d.type, d.delegated_on::text, d.hold_until::text,
      d.purpose, d.ends_on::text, coalesce(u.used, 0)::text as used, k.delegation_id is not null as own_lock
    from delegation d left join u using (delegation_id) left join resource_lock k on k.delegation_id = d.delegation_id and k.released_at is null
    where d.account_name = ${accountName} and d.registry = '' and d.status <> 'closed' order by d.kind, d.first, d.first_as`),
  );

/** Equal parts of a block whose use is drawn. */
export const USE_PARTS = 16;
/** Registrations that are read for it. */
const MAX_READ = 5_000;

/**
 * Returns the used share of each of sixteen equal parts of these delegations, from 0 to 1, by their ids. Nothing where more is registered than can be read for a picture.
 */
export async function usedParts(read: Pick<Read, 'rows'>, delegationIds: readonly number[]): Promise<Map<number, number[]>> {
  if (delegationIds.length === 0) return new Map();
  const rows = await read.rows<{ delegationId: number; kind: 'ipv4' | 'ipv6'; resource: string; part: string | null }>(sql`
    select d.delegation_id, d.kind, d.resource, a.resource as part from delegation d left join assignment a on a.delegation_id = d.delegation_id and a.level = 0
    where d.delegation_id = any(${delegationIds}::bigint[]) and d.kind <> 'asn' limit ${MAX_READ + 1}`);
  if (rows.length > MAX_READ) return new Map();
  const drawn = new Map<number, number[]>();
  for (const { delegationId, resource, part } of rows) {
    const parts = drawn.get(delegationId) ?? Array<number>(USE_PARTS).fill(0);
    drawn.set(delegationId, parts);
    if (part === null) continue;
    const [block, used] = [rangeOf(resource), rangeOf(part)];
    const size = Number(block.last - block.first + 1n) / USE_PARTS;
    const [from, to] = [Number(used.first - block.first), Number(used.last - block.first) + 1];
    for (let at = Math.floor(from / size); at < USE_PARTS && at * size < to; at++)
      parts[at] = Math.min(1, parts[at]! + (Math.min(to, (at + 1) * size) - Math.max(from, at * size)) / size);
  }
  return drawn;
}

function rangeOf(text: string): { first: bigint; last: bigint } {
  const { first, last } = parseResource(text);
  return { first: BigInt(first), last: BigInt(last) };
}

/** Everything of a kind that this registry has delegated, as one set. */
export async function delegatedSpace(read: Pick<Read, 'rows'>, kind: LedgerColumns['kind']): Promise<ResourceSet> {
  const rows = await read.rows<Pick<LedgerColumns, 'kind' | 'first' | 'last' | 'firstAs' | 'lastAs'>>(sql`
    select kind, host(first) as first, host(last) as last, first_as, last_as from delegation where registry = '' and kind = ${kind} and status <> 'closed'`);
  return resourceSetOf(rows.map(resourceOf));
}

/** Returns the IPv4 ever delegated to an account from the last pool, sold or not, recognised by its hold. */
export async function receivedFromLastPool(read: Pick<Read, 'rows'>, accountName: string): Promise<ResourceSet> {
  const rows = await read.rows<Pick<LedgerColumns, 'kind' | 'first' | 'last' | 'firstAs' | 'lastAs'>>(sql`
    select kind, host(first) as first, host(last) as last, first_as, last_as from delegation
    where account_name = ${accountName} and registry = '' and kind = 'ipv4' and source = 'delegated' and hold_until is not null`);
  return resourceSetOf(rows.map(resourceOf));
}

/** Returns the present total of a kind for all events: addresses or AS numbers. */
export async function sizeForEvents(read: Pick<Read, 'rows'>, kind: LedgerColumns['kind']): Promise<bigint> {
  const [row] = await read.rows<{ size: string }>(sql`select coalesce(sum(size), 0)::text as size from delegation
    where registry = '' and kind = ${kind} and purpose = 'temporary' and status <> 'closed'`);
  return BigInt(row!.size);
}
