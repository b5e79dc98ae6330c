import type { AddressRange, NumberResource, ResourceFamily } from '@portal/number-resources';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { columnsOf } from './ledger-columns.ts';

/** A delegation as the statistics files publish it. */
export type PublicDelegation = { kind: ResourceFamily; resource: string; size: string };

/** The oldest delegation of this registry of each kind: an example that leads to something. */
export const oldestDelegations = (read: Pick<Read, 'rows'>): Promise<PublicDelegation[]> =>
  read.rows<PublicDelegation>(sql`select d.kind, d.resource, d.size::text from unnest(array['ipv4', 'ipv6', 'asn']) with ordinality as w (kind, place)
    cross join lateral (select * from delegation where kind = w.kind and status <> 'closed' and registry = '' order by delegation_id limit 1) d order by w.place`);

/** A delegation next to some addresses, and who holds it. */
export type Neighbour = PublicDelegation & { side: 'before' | 'after'; holder: string };

/** The last delegation of this registry before some addresses, and the first one after them. AS numbers have none. */
export async function neighboursOf(read: Pick<Read, 'rows'>, resource: NumberResource): Promise<Neighbour[]> {
  if (resource.family === 'asn') return [];
  const { kind, first, last } = columnsOf(resource);
  return read.rows<Neighbour>(sql`select n.side, n.kind, n.resource, n.size::text, a.org_name as holder from (
      select * from (select 'before' as side, kind, resource, size, account_name from delegation
        where kind <> 'asn' and kind = ${kind} and status <> 'closed' and registry = '' and first < ${first}::inet and last < ${first}::inet
        order by first desc limit 1) b
      union all select * from (select 'after', kind, resource, size, account_name from delegation
        where kind <> 'asn' and kind = ${kind} and status <> 'closed' and registry = '' and first > ${last}::inet order by first limit 1) c) n
    join account a using (account_name) order by n.side desc`);
}

/** A delegation in a block of addresses, and who holds it. */
export type HeldPart = PublicDelegation & { holder: string };

/** Delegations of this registry that begin in a block of addresses, in their order. @param most so many at most */
export async function delegationsIn(read: Pick<Read, 'rows'>, block: AddressRange, most: number): Promise<HeldPart[]> {
  const { kind, first, last } = columnsOf(block);
  return read.rows<HeldPart>(sql`select d.kind, d.resource, d.size::text, a.org_name as holder
    from (select kind, resource, size, account_name, first from delegation
        where kind <> 'asn' and kind = ${kind} and status <> 'closed' and registry = '' and first between ${first}::inet and ${last}::inet
        order by first limit ${most}) d
      join account a using (account_name) order by d.first`);
}

/**
 * Delegations of this registry to the holder of these numbers, the largest of each kind first. The organisation that RDAP names as registrant leads to them too.
 * @param most so many at most
 */
export async function heldBeside(read: Pick<Read, 'rows'>, resource: NumberResource, most: number): Promise<PublicDelegation[]> {
  const { kind, first, last, firstAs, lastAs } = columnsOf(resource);
  const around =
    kind === 'asn' ? sql`d.first_as <= ${firstAs} and d.last_as >= ${lastAs}` : sql`d.first <= ${first}::inet and d.last >= ${last}::inet`;
  return read.rows<PublicDelegation>(sql`select o.kind, o.resource, o.size::text
    from (select account_name, delegation_id from delegation d where d.kind = ${kind} and d.status <> 'closed' and d.registry = '' and ${around} limit 1) held
      join delegation o on o.account_name = held.account_name and o.status <> 'closed' and o.registry = '' and o.delegation_id <> held.delegation_id
    order by o.kind = 'asn', o.kind, o.size desc, o.delegation_id limit ${most}`);
}
