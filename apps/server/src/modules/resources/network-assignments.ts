import { utcDay } from '@portal/contract/days';
import { type AddressRange, containsRange, equalResources, overlapsRange } from '@portal/number-resources';
import { sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import type { NewAssignment } from './assignments.ts';
import { columnsOf, rangeOf } from './ledger-columns.ts';

/** A network from whois, for the register. */
export type Network = Required<Pick<NewAssignment, 'type' | 'netname' | 'description' | 'economy'>> & { range: AddressRange };

type Placed = { range: AddressRange; type: 'allocated' | 'assigned'; assignmentId: number | null; level: number; network: Network | null };
type Row = { assignmentId: number; first: string; last: string; type: 'allocated' | 'assigned'; level: number; delegationId: number };

/**
 * Registers public networks with a constant number of statements. Skips networks that are in no open allocation of the account, are such an
 * allocation themselves, are already registered, or conflict (`conflictsWith`; whois is checked against that before).
 * Returns the resources that are registered now.
 */
export async function assignNetworks(change: Change, accountName: string, networks: readonly Network[]): Promise<string[]> {
  if (networks.length === 0) return [];
  const columns = networks.map(({ range }) => columnsOf(range));
  const ranges = sql`unnest(${columns.map((_, no) => no)}::int[], ${columns.map(each => each.kind)}::text[], ${columns.map(each => each.first)}::inet[],
    ${columns.map(each => each.last)}::inet[]) as w (no, kind, first, last)`;
  const allocations = await change.rows<{ no: number; delegationId: number }>(sql`select w.no, d.delegation_id from ${ranges}
    join delegation d on d.account_name = ${accountName} and d.kind = w.kind and d.type = 'allocated' and d.status <> 'closed'
      and d.first <= w.first and d.last >= w.last and not (d.first = w.first and d.last = w.last)`);
  if (allocations.length === 0) return [];
  const delegations = [...new Set(allocations.map(({ delegationId }) => delegationId))];
  // Serialises concurrent registrations below the same allocations.
  await change.rows(sql`select from delegation where delegation_id = any(${delegations}::bigint[]) order by delegation_id for update`);
  const relatives =
    await change.rows<Row>(sql`select distinct a.assignment_id, host(a.first) as first, host(a.last) as last, a.type, a.level, a.delegation_id
    from ${ranges} cross join lateral (select * from assignment where inetrange(first, last, '[]') && inetrange(w.first, w.last, '[]') offset 0) a
    where a.delegation_id = any(${delegations}::bigint[])`);
  const rows: { network: Network; delegationId: number; level: number }[] = [];
  const moved: { assignmentId: number; level: number }[] = [];
  for (const delegationId of delegations) {
    const known: Placed[] = relatives
      .filter(row => row.delegationId === delegationId)
      .map(({ assignmentId, first, last, type, level }) => ({ range: rangeOf(first, last), type, assignmentId, level, network: null }));
    const fresh = allocations
      .filter(each => each.delegationId === delegationId)
      .map(({ no }): Placed => ({ ...networks[no]!, assignmentId: null, level: -1, network: networks[no]! }));
    for (const { placed, level } of levelsOf([...known, ...fresh])) {
      if (placed.network) rows.push({ network: placed.network, delegationId, level });
      else if (level !== placed.level) moved.push({ assignmentId: placed.assignmentId!, level });
    }
  }
  if (moved.length > 0)
    await change.rows(sql`update assignment a set level = w.level from unnest(${moved.map(each => each.assignmentId)}::bigint[], ${moved.map(each => each.level)}::int[])
      as w (assignment_id, level) where a.assignment_id = w.assignment_id`);
  if (rows.length === 0) return [];
  const made = rows.map(({ network }) => columnsOf(network.range));
  await change.rows(sql`
    insert into assignment (delegation_id, account_name, kind, first, last, resource, size, type, level, netname, descr, visibility, economy, from_whois,
      registered_on, updated_at)
    select delegation_id, ${accountName}, kind, first, last, resource, size, type, level, netname, descr, 'public', economy, true,
      ${utcDay(change.now)}::date, ${change.now}::timestamptz
    from unnest(${rows.map(each => each.delegationId)}::bigint[], ${made.map(each => each.kind)}::text[], ${made.map(each => each.first)}::inet[],
      ${made.map(each => each.last)}::inet[], ${made.map(each => each.resource)}::text[], ${made.map(each => each.size)}::numeric[],
      ${rows.map(each => each.network.type)}::text[], ${rows.map(each => each.level)}::int[], ${rows.map(each => each.network.netname)}::text[],
      ${rows.map(each => each.network.description)}::text[], ${rows.map(each => each.network.economy)}::text[])
      as w (delegation_id, kind, first, last, resource, size, type, level, netname, descr, economy)`);
  return made.map(({ resource }) => resource);
}

/** Returns the nesting depth of each range. A new one that partly overlaps another, or lies in one that can't be subdivided, is left out. */
function levelsOf(all: readonly Placed[]): { placed: Placed; level: number }[] {
  // Of two equal ranges the existing one comes first.
  let left = [...all].sort(
    (a, b) =>
      compare(a.range.first, b.range.first) ||
      compare(b.range.last, a.range.last) ||
      Number(a.network !== null) - Number(b.network !== null),
  );
  for (;;) {
    const out = new Set<Placed>();
    const levels: { placed: Placed; level: number }[] = [];
    let around: Placed[] = [];
    for (const placed of left) {
      around = around.filter(each => overlapsRange(each.range, placed.range));
      const wrong = around.find(each => (each.network ?? placed.network) !== null && conflictsWith(each, placed));
      if (wrong) out.add(placed.network ? placed : wrong);
      levels.push({ placed, level: around.length });
      around.push(placed);
    }
    if (out.size === 0) return levels;
    left = left.filter(each => !out.has(each));
  }
}

const compare = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

type Place = { range: AddressRange; type: 'allocated' | 'assigned' };

/** Returns whether two overlapping networks can't both be registered. */
export function conflictsWith(one: Place, other: Place): boolean {
  if (equalResources(one.range, other.range)) return true;
  if (containsRange(one.range, other.range)) return one.type !== 'allocated';
  return !containsRange(other.range, one.range) || other.type !== 'allocated';
}

/** A registration of an account that overlaps a range. */
export type RegisteredNetwork = Place & {
  /** Index of the range in the list. */
  no: number;
  resource: string;
  visibility: 'public' | 'private';
  fromWhois: boolean;
  /** True if it contains others that stay. */
  holds: boolean;
};
type NetworkRow = Omit<RegisteredNetwork, 'range'> & Pick<Row, 'first' | 'last'>;

/**
 * Returns the registrations of an account that overlap each of some ranges.
 * @param leaving ranges whose assignments are removed with their whois objects
 */
export async function registeredAt(
  read: Pick<Read, 'rows'>,
  accountName: string,
  ranges: readonly AddressRange[],
  leaving: readonly AddressRange[] = [],
): Promise<RegisteredNetwork[]> {
  if (ranges.length === 0) return [];
  const columns = ranges.map(columnsOf);
  const gone = leaving.map(columnsOf);
  const rows =
    await read.rows<NetworkRow>(sql`select w.no, a.resource, a.visibility, a.from_whois, host(a.first) as first, host(a.last) as last, a.type,
      exists (select from assignment i where i.delegation_id = a.delegation_id and i.level > a.level and i.first >= a.first and i.last <= a.last
        and not (i.from_whois and exists (select from unnest(${gone.map(each => each.first)}::inet[], ${gone.map(each => each.last)}::inet[]) as g (first, last)
          where g.first = i.first and g.last = i.last))) as holds
    from unnest(${columns.map((_, no) => no)}::int[], ${columns.map(each => each.first)}::inet[], ${columns.map(each => each.last)}::inet[]) as w (no, first, last)
    cross join lateral (select * from assignment where inetrange(first, last, '[]') && inetrange(w.first, w.last, '[]') offset 0) a
    where a.account_name = ${accountName}`);
  return rows.map(({ first, last, ...standing }) => ({ ...standing, range: rangeOf(first, last) }));
}
