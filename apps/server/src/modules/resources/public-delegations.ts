import { type AddressRange, addressSpaceSize, type NumberResource, printAddress, type ResourceFamily } from '@portal/number-resources';
import { sql } from 'kysely';
import { preparedQuery, type Read } from '../../platform/database/index.ts';
import { columnsOf } from './ledger-columns.ts';

/** A delegation as the statistics files publish it. */
export type PublicDelegation = { kind: ResourceFamily; resource: string; size: string };

/** The oldest delegation of this registry of each kind: an example that leads to something. */
export const oldestDelegations = (read: Pick<Read, 'rows'>): Promise<PublicDelegation[]> =>
  read.rows<PublicDelegation>(sql`select d.kind, d.resource, d.size::text from unnest(array['ipv4', 'ipv6', 'asn']) with ordinality as w (kind, place)
    cross join lateral (select * from delegation where kind = w.kind and status <> 'closed' and registry = '' order by delegation_id limit 1) d order by w.place`);

/** A delegation, or a block of the registry's pools, that adjoins some addresses; `holder` is null of a pool. */
export type Neighbour = PublicDelegation & { side: 'before' | 'after'; holder: string | null; state: 'held' | 'available' | 'reserved' };

const NEIGHBOURS = preparedQuery<Neighbour>(`select n.side, n.kind, n.resource, n.size::text, a.org_name as holder, n.state from (
      select * from (select 'before' as side, kind, resource, size, account_name, 'held' as state, last = $2::inet as adjoins from delegation
        where kind <> 'asn' and kind = $1::text and status <> 'closed' and registry = '' and first <= $2::inet and last <= $2::inet
        order by first desc limit 1) b
      union all select * from (select 'after', kind, resource, size, account_name, 'held', first = $3::inet from delegation
        where kind <> 'asn' and kind = $1::text and status <> 'closed' and registry = '' and first >= $3::inet order by first limit 1) c
      union all select * from (select 'before', kind, resource, size, null, state, last = $2::inet from pool
        where kind <> 'asn' and kind = $1::text and registry = '' and first <= $2::inet and last <= $2::inet order by first desc limit 1) d
      union all select * from (select 'after', kind, resource, size, null, state, first = $3::inet from pool
        where kind <> 'asn' and kind = $1::text and registry = '' and first >= $3::inet order by first limit 1) e) n
    left join account a using (account_name) where n.adjoins order by n.side desc`);

/** Finds what this registry delegated, or can delegate, right before some addresses and right after them. AS numbers have none. */
export async function neighboursOf(read: Pick<Read, 'rows'>, resource: NumberResource): Promise<Neighbour[]> {
  if (resource.family === 'asn') return [];
  const { family, first, last } = resource;
  // Of the very ends of the address space there is none on one side: they are compared with themselves, which adjoins nothing.
  const before = printAddress({ family, value: first === 0n ? first : first - 1n });
  const after = printAddress({ family, value: last === addressSpaceSize(family) - 1n ? last : last + 1n });
  return read.rows(NEIGHBOURS(family, before, after));
}

/** A delegation in a block of addresses, and who holds it. */
export type HeldPart = PublicDelegation & { holder: string };

const INSIDE = preparedQuery<HeldPart>(`select d.kind, d.resource, d.size::text, a.org_name as holder
    from (select kind, resource, size, account_name, first from delegation
        where kind <> 'asn' and kind = $1::text and status <> 'closed' and registry = '' and first between $2::inet and $3::inet
        order by first limit $4::int) d
      join account a using (account_name) order by d.first`);

/** Delegations of this registry that begin in a block of addresses, in their order. @param most so many at most */
export async function delegationsIn(read: Pick<Read, 'rows'>, block: AddressRange, most: number): Promise<HeldPart[]> {
  const { kind, first, last } = columnsOf(block);
  return read.rows(INSIDE(kind, first, last, most));
}

const HOLDER = preparedQuery<{ holder: string }>(`select a.org_name as holder from (select * from (select account_name, last from delegation
      where kind = $1::text and kind <> 'asn' and status <> 'closed' and registry = '' and first <= $2::inet order by first desc limit 1) d where d.last >= $3::inet) h
    join account a using (account_name)`);

/** The holder of the delegation of this registry that covers some addresses; null where none does. */
export async function holderOf(read: Pick<Read, 'rows'>, range: AddressRange): Promise<string | null> {
  const { kind, first, last } = columnsOf(range);
  const [row] = await read.rows(HOLDER(kind, first, last));
  return row?.holder ?? null;
}

const beside = (held: string): string => `select o.kind, o.resource, o.size::text
    from (${held}) held join delegation o on o.account_name = held.account_name and o.status <> 'closed' and o.registry = '' and o.delegation_id <> held.delegation_id
    where held.registry = '' order by o.kind = 'asn', o.kind, o.size desc, o.delegation_id limit $3::int`;
// Delegations are disjoint: of those that begin no later, only the last one can be around the numbers.
const BESIDE_NUMBERS = preparedQuery<PublicDelegation>(
  beside(
    `select * from (select * from delegation where kind = 'asn' and status <> 'closed' and first_as <= $1::bigint order by first_as desc limit 1) d where d.last_as >= $2::bigint`,
  ),
);
const BESIDE_ADDRESSES = preparedQuery<PublicDelegation>(
  beside(
    `select * from (select * from delegation where kind <> 'asn' and status <> 'closed' and first <= $1::inet order by first desc limit 1) d where d.last >= $2::inet`,
  ),
);

/**
 * Delegations of this registry to the holder of these numbers, the largest of each kind first. The organisation that RDAP names as registrant leads to them too.
 * @param most so many at most
 */
export async function heldBeside(read: Pick<Read, 'rows'>, resource: NumberResource, most: number): Promise<PublicDelegation[]> {
  const { kind, first, last, firstAs, lastAs } = columnsOf(resource);
  return read.rows(kind === 'asn' ? BESIDE_NUMBERS(firstAs, lastAs, most) : BESIDE_ADDRESSES(first, last, most));
}
