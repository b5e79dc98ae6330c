import { type Database, inBatches, preparedQuery, type Read } from '../../platform/database/index.ts';
import { READ_BYTES } from '../whois/index.ts';
import type { AutnumRow } from './autnums.ts';
import type { Stamp } from './common-members.ts';
import type { DomainRow } from './domains.ts';
import type { Referred } from './entities.ts';
import type { NetworkRow } from './networks.ts';

/* Statements of look-ups. Each finds its object, its surroundings and all nested objects in one round trip, using only indexes. */

type Reader = Pick<Read, 'rows'>;

/** Contacts of one answer, and the bytes of one that is in it with its text, and of all of them. */
const maxReferred = 200;
const longestReferred = 16_384;

/** The contacts, organisation and maintainers an object names, as `[attribute, class, shown, text]`. Without a text where that is too long, or all are. */
const referredOf = (object: string): string => `(
  select json_agg(json_build_array(attribute, class, shown, case when own <= ${longestReferred} and reached <= ${READ_BYTES} then text end) order by class, key) from (
    select r.attribute, c.class, c.shown, c.key, c.text, octet_length(c.text) as own,
      sum(least(octet_length(c.text), ${longestReferred})) over (order by c.class, c.key, r.attribute) as reached
    from whois_reference r join whois_object c
      on c.key = r.value and c.class = any(case r.attribute when 'org' then '{organisation}' when 'mnt-irt' then '{irt}' when 'mnt-by' then '{mntner}'
        else '{role,person}' end::text[])
    where r.object_id = ${object}.object_id and r.attribute in ('admin-c', 'tech-c', 'zone-c', 'mnt-irt', 'abuse-c', 'org', 'mnt-by')
    order by c.class, c.key, r.attribute limit ${maxReferred}) referred)`;

/** Delegations are disjoint, so only the last one that begins at or before an address can contain it. */
const delegationAt = (address: string): string => `(
  select d.first, d.last, d.registry, d.delegated_on, d.source = 'transferred' as transferred, exists (select from resource_lock k where k.delegation_id = d.delegation_id and k.released_at is null)
    or exists (select from restraint_on(d.account_name, now(), false)) as locked
  from delegation d where d.kind <> 'asn' and d.status <> 'closed' and d.first <= ${address}
  order by d.first desc limit 1)`;
/** Returns the condition that a registry's delegations or pools begin inside a range, after its start. */
const holdsDelegations = (object: string): string => `(
  exists (select from delegation d where d.registry = '' and d.kind <> 'asn' and d.status <> 'closed' and d.first >= ${object}.first and d.first <= ${object}.last)
  or exists (select from pool p where p.registry = '' and p.kind <> 'asn' and p.first >= ${object}.first and p.first <= ${object}.last))`;

/** Columns for the ledger's facts about a network object. */
const ledgerRelation = (
  object: string,
): string => `coalesce(held.last >= ${object}.last, false) as delegated, ${holdsDelegations(object)} as holds_delegations,
  case when held.first = ${object}.first and held.last = ${object}.last then held.delegated_on end as delegated_on,
  held.first = ${object}.first and held.last = ${object}.last and held.transferred as transferred,
  held.first = ${object}.first and held.last = ${object}.last and held.locked as locked,
  exists (select from locked_part p where p.fixed_at is not null and p.kind <> 'asn' and inetrange(p.first, p.last, '[]') @> inetrange(${object}.first, ${object}.last, '[]')) as moving`;
const isNetwork = "class in ('inetnum', 'inet6num')";

type Enclosing = Omit<NetworkRow, 'parent'> & {
  n: number;
  parentShown: string | null;
  parentFirst: string | null;
  parentLast: string | null;
  referred: Referred[] | null;
  registry: string | null;
  isHeld: boolean | null;
};
/* The prefix tree gives the few objects around a range; the closest is chosen outside, so that the planner doesn't scan all of them in order. */
const ENCLOSING = preparedQuery<{ [K in keyof Enclosing]: K extends 'n' ? number : Enclosing[K] | null }>(`
  select a.n, o.shown, o.text, host(o.first) as first, host(o.last) as last, o.created_at, o.changed_at, ${ledgerRelation('o')},
    o.parent_shown, host(o.parent_first) as parent_first, host(o.parent_last) as parent_last, ${referredOf('o')} as referred,
    asked.registry, asked.last >= a.last as is_held
  from unnest((select $1::int[]), (select $2::inet[]), (select $3::inet[])) as a (n, first, last)
  left join lateral (
    select x.*, lead(shown) over w as parent_shown, lead(first) over w as parent_first, lead(last) over w as parent_last
    from (select object_id, shown, text, first, last, created_at, changed_at from whois_object
      where ${isNetwork} and inet_merge(first, last) >>= inet_merge(a.first, a.last) offset 0) x
    where x.first <= a.first and x.last >= a.last window w as (order by first desc, last) order by first desc, last limit 1) o on true
  left join lateral ${delegationAt('o.first')} held on true
  left join lateral ${delegationAt('a.first')} asked on true`);

/** The result of a look-up of a range. */
export type FoundNetwork = {
  /** The smallest object around it. */
  object: { row: NetworkRow; referred: readonly Referred[] } | null;
  /** The registry of the delegation that contains all of it: empty for this one, null without one. */
  delegatedBy: string | null;
};

/** The smallest network object around a range, and the registry of its delegation. Concurrent look-ups share a statement. */
export const findNetwork = inBatches(async (db: Database, asked: readonly { first: string; last: string }[]): Promise<FoundNetwork[]> => {
  const rows = await db.read.rows(
    ENCLOSING(
      asked.map((_, n) => n),
      asked.map(({ first }) => first),
      asked.map(({ last }) => last),
    ),
  );
  const found: FoundNetwork[] = [];
  for (const row of rows) found[row.n] = foundNetwork(row as Enclosing);
  return found;
});

function foundNetwork({ n: _n, parentShown, parentFirst, parentLast, referred, registry, isHeld, ...object }: Enclosing): FoundNetwork {
  const delegatedBy = isHeld ? registry : null;
  // If a join found nothing every column is null, whatever its type says.
  if ((object.shown as string | null) === null) return { object: null, delegatedBy };
  const parent =
    parentShown === null || parentFirst === null || parentLast === null
      ? null
      : { shown: parentShown, first: parentFirst, last: parentLast };
  return { object: { row: { ...object, parent }, referred: referred ?? [] }, delegatedBy };
}

const TOUCHES_OURS = preparedQuery<{ ours: boolean }>(`
  select exists (select from (select last from delegation where registry = '' and kind <> 'asn' and status <> 'closed' and first <= $2::inet
      order by first desc limit 1) d where d.last >= $1::inet)
    or exists (select from (select last from pool where registry = '' and kind <> 'asn' and first <= $2::inet order by first desc limit 1) p
      where p.last >= $1::inet) as ours`);
/** Returns whether part of a range is delegated by this registry, or in its pools. */
export const overlapsOwnSpace = async (read: Reader, { first, last }: { first: string; last: string }): Promise<boolean> =>
  (await read.rows(TOUCHES_OURS(first, last)))[0]?.ours ?? false;

const AUTNUM = preparedQuery<{
  shown: string | null;
  text: string | null;
  createdAt: string | null;
  changedAt: string | null;
  delegatedOn: string | null;
  transferred: boolean | null;
  locked: boolean | null;
  moving: boolean | null;
  referred: Referred[] | null;
  registry: string | null;
}>(`
  select o.shown, o.text, o.created_at, o.changed_at, case when held.first_as = held.last_as then held.delegated_on end as delegated_on,
    held.first_as = held.last_as and held.source = 'transferred' as transferred,
    exists (select from resource_lock k where k.delegation_id = held.delegation_id and k.released_at is null)
      or exists (select from restraint_on(held.account_name, now(), false)) as locked,
    exists (select from locked_part p where p.fixed_at is not null and p.kind = 'asn' and int8range(p.first_as, p.last_as, '[]') @> $2::bigint) as moving,
    ${referredOf('o')} as referred, held.registry
  from (select 1) one
  left join lateral (select * from whois_object where class = 'aut-num' and key = $1 limit 1) o on true
  left join lateral (select * from (select delegation_id, account_name, first_as, last_as, registry, delegated_on, source from delegation where kind = 'asn' and status <> 'closed' and first_as <= $2::bigint
    order by first_as desc limit 1) d where d.last_as >= $2::bigint) held on true`);

/** The aut-num object of an AS number, and the registry of its delegation: empty for this registry, null without one. */
export async function findAutnum(
  read: Reader,
  asNumber: number,
): Promise<{ object: { row: AutnumRow; referred: readonly Referred[] } | null; delegatedBy: string | null }> {
  const [row] = await read.rows(AUTNUM(`as${asNumber}`, asNumber));
  if (!row) return { object: null, delegatedBy: null };
  const { shown, text, createdAt, changedAt, delegatedOn, transferred, locked, moving, referred, registry } = row;
  if (shown === null || text === null || createdAt === null || changedAt === null) return { object: null, delegatedBy: registry };
  return {
    object: { row: { shown, text, createdAt, changedAt, delegatedOn, transferred, locked, moving, asNumber }, referred: referred ?? [] },
    delegatedBy: registry,
  };
}

const DOMAIN = preparedQuery<DomainRow & { referred: Referred[] | null }>(`
  select o.shown, o.text, host(o.first) as first, host(o.last) as last, o.created_at, o.changed_at, ${referredOf('o')} as referred
  from (select * from whois_object where class = 'domain' and key = any($1::text[]) order by length(key) desc limit 1) o`);

/** The first existing one of these zones; the longest name wins. */
export async function findDomain(
  read: Reader,
  names: readonly string[],
): Promise<{ row: DomainRow; referred: readonly Referred[] } | null> {
  const [row] = await read.rows(DOMAIN(names));
  if (!row) return null;
  const { referred, ...domain } = row;
  return { row: domain, referred: referred ?? [] };
}

export type EntityRow = Stamp & { objectId: number; class: string; shown: string; text: string };
const ENTITY = preparedQuery<EntityRow & { referred: Referred[] | null }>(`
  select o.object_id, o.class, o.shown, o.text, o.created_at, o.changed_at, ${referredOf('o')} as referred
  from whois_object o where o.class = any('{person,role,irt,mntner,organisation}'::text[]) and o.key = $1`);

/** The objects of a handle: several if, for example, a maintainer has the name of a role. */
export async function findEntities(read: Reader, handle: string): Promise<(EntityRow & { referred: readonly Referred[] })[]> {
  const rows = await read.rows(ENTITY(handle.toLowerCase()));
  return rows.map(row => ({ ...row, referred: row.referred ?? [] }));
}

/** Maximum number of networks or AS numbers listed for an entity. */
export const maxHeld = 100;
const heldBy = (classes: string): string => `
  select ${classes === isNetwork ? 'o.object_id, o.shown, o.text, o.first, o.last, o.created_at, o.changed_at' : 'o.*'}
  from whois_reference r join whois_object o using (object_id)
  where r.value = $1 and o.${classes} and (r.attribute = 'org' or r.attribute = 'mnt-by' and $2 = 'mntner'
    and not exists (select from whois_reference other where other.object_id = o.object_id and other.attribute = 'org'))`;
/** SQL: the first of some objects that have `READ_BYTES` together, at least one, and how many there are. */
const asFarAsRead = (objects: string, order: string): string => `(select * from (
  select h.*, count(*) over ()::int as total, sum(octet_length(h.text)) over (order by ${order}) - octet_length(h.text) as before from (${objects}) h) h
  where before < ${READ_BYTES})`;
type Counted = { total: number };
const NETWORKS = preparedQuery<NetworkRow & Counted>(`
  select o.shown, o.text, host(o.first) as first, host(o.last) as last, o.created_at, o.changed_at, o.total, ${ledgerRelation('o')}
  from ${asFarAsRead(`${heldBy(isNetwork)} order by o.first, o.last desc limit ${maxHeld + 1}`, 'h.first, h.last desc, h.object_id')} o
  left join lateral ${delegationAt('o.first')} held on true
  where o.first is not null and o.last is not null order by o.first, o.last desc`);
const AUTNUMS = preparedQuery<AutnumRow & Counted>(`
  select o.shown, o.text, o.first_as as as_number, o.created_at, o.changed_at, o.total
  from ${asFarAsRead(`${heldBy("class = 'aut-num'")} and o.first_as is not null order by o.first_as limit ${maxHeld + 1}`, 'h.first_as, h.object_id')} o order by o.first_as`);

/** The networks and AS numbers of an entity, and whether there are more than are listed. */
export type Held = { networks: NetworkRow[]; autnums: AutnumRow[]; more: boolean };

/** The networks and AS numbers an organisation, or a maintainer where there is no organisation, is the registrant of. */
export async function findHeld(read: Reader, className: string, handle: string): Promise<Held> {
  if (className !== 'organisation' && className !== 'mntner') return { networks: [], autnums: [], more: false };
  const key = handle.toLowerCase();
  const [networks, autnums] = [await read.rows(NETWORKS(key, className)), await read.rows(AUTNUMS(key, className))];
  const isMore = (rows: readonly Counted[]): boolean => rows.length > maxHeld || rows.length < (rows[0]?.total ?? 0);
  return { networks: networks.slice(0, maxHeld), autnums: autnums.slice(0, maxHeld), more: isMore(networks) || isMore(autnums) };
}

export { delegationAt, isNetwork, ledgerRelation };
