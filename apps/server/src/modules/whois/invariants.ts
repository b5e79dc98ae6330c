import { type RawBuilder, sql } from 'kysely';
import { type Invariant, isOf, MAX_VIOLATIONS, type Violation } from '../../platform/invariant.ts';
import type { Read } from '../../platform/database/index.ts';
import type { Profile } from '../../profile.ts';
import { inHandleSpace } from './store/handle-space.ts';

type Differing = { object: string; accountName: string; problem: string };

/** Accounts whose objects are about to be written because their holdings just changed. */
const isSettled = (column: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`not exists (select from whois_due_account due where due.account_name = ${column})`;

/**
 * Delegations without an object, or with the object of another holder. AS numbers in long rows are one as-block. A part for each kind, so that each has its index: in one condition, every object
 * is compared with every delegation.
 */
const withoutObject = (accounts: readonly string[] | null, most: number): RawBuilder<Differing> => sql<Differing>`
  select d.resource as object, d.account_name, case when o.object_id is null then 'has no object in whois'
      when not o.kept or o.kept_for is distinct from d.account_name then 'is held by ' || d.account_name || ', and its object is kept for ' || coalesce(o.kept_for, 'no one')
      else 'is held by ' || d.account_name || ', and its object names an organisation of ' || coalesce(org.kept_for, 'no one') end as problem
  from delegation d join account a using (account_name) left join lateral (
      select * from whois_object n where d.kind = 'ipv4' and n.class = 'inetnum' and n.first = d.first and n.last = d.last
      union all select * from whois_object n where d.kind = 'ipv6' and n.class = 'inet6num' and n.first = d.first and n.last = d.last
      union all select * from whois_object n where d.kind = 'asn' and d.first_as = d.last_as and n.class = 'aut-num' and n.key = 'as' || d.first_as
      union all select * from whois_object n where d.kind = 'asn' and d.last_as - d.first_as >= 64 and n.class = 'as-block'
        and n.first_as = d.first_as and n.last_as = d.last_as) o on true
    left join whois_reference r on r.object_id = o.object_id and r.attribute = 'org'
    left join whois_object org on org.class = 'organisation' and org.key = r.value
  where d.registry = '' and d.status <> 'closed' and a.account_status <> 'closed' and ${isOf(sql`d.account_name`, accounts)} and ${isSettled(sql`d.account_name`)}
    and (d.kind <> 'asn' or d.first_as = d.last_as or d.last_as - d.first_as >= 64)
    and (o.object_id is null or not o.kept or o.kept_for is distinct from d.account_name or org.kept_for is distinct from d.account_name)
  order by d.first, d.first_as limit ${most}`;

/** Objects of the registry for numbers that their holder doesn't hold. */
const withoutDelegation = (accounts: readonly string[] | null, most: number): RawBuilder<Differing> => sql<Differing>`
  select o.class || ' ' || o.shown as object, o.kept_for as account_name, 'says that ' || o.kept_for || ' holds it, and the ledger does not' as problem
  from whois_object o where o.kept and o.kept_for is not null and o.class in ('inetnum', 'inet6num', 'aut-num', 'as-block')
    and ${isOf(sql`o.kept_for`, accounts)} and ${isSettled(sql`o.kept_for`)}
    and not exists (select from delegation d where d.registry = '' and d.status <> 'closed' and d.account_name = o.kept_for
      and case when o.first is null then d.kind = 'asn' and d.first_as <= o.first_as and d.last_as >= o.last_as
        else d.kind <> 'asn' and d.first = o.first and d.last = o.last end)
  order by o.first, o.first_as limit ${most}`;

/** Returns in what whois and the ledger differ, by object and account, up to a number of each kind: delegations, and objects without one. */
export const ledgerDifferences = async (
  read: Pick<Read, 'rows'>,
  { accounts = null, most }: { accounts?: readonly string[] | null; most: number },
): Promise<Differing[]> => [...(await read.rows(withoutObject(accounts, most))), ...(await read.rows(withoutDelegation(accounts, most)))];

type Foreign = { class: string; shown: string; maintainer: string; user: string; resource: string; holder: string };

/**
 * Objects over delegated numbers that a maintainer of another account may write, without the holder's permission by a surrounding object or a consent.
 */
const foreignMaintainers = (accounts: readonly string[] | null, profile: Profile): RawBuilder<Foreign> => sql<Foreign>`
  with over as (
    select o.object_id, o.class, o.shown, o.first, o.last, o.first_as, o.last_as, d.delegation_id, d.resource, d.account_name, d.kind, d.first as d_first, d.last as d_last
    from delegation d cross join lateral (
        select * from whois_object n where n.class in ('inetnum', 'inet6num') and n.first >= d.first and n.first <= d.last
        union all select * from whois_object n where n.class in ('route', 'route6') and n.first >= d.first and n.first <= d.last
        union all select * from whois_object n where n.class = 'domain' and n.first is not null and n.first >= d.first and n.first <= d.last
        union all select * from whois_object n where n.class in ('inetnum', 'inet6num') and inet_merge(n.first, n.last) >>= d.first and n.first < d.first and n.last >= d.first
        union all select * from whois_object n where n.class in ('route', 'route6') and inet_merge(n.first, n.last) >>= d.first and n.first < d.first and n.last >= d.first
        union all select * from whois_object n where n.class = 'domain' and n.first is not null and inet_merge(n.first, n.last) >>= d.first and n.first < d.first and n.last >= d.first) o
    where d.registry = '' and d.status <> 'closed' and d.kind <> 'asn' and not o.kept and ${isSettled(sql`d.account_name`)}
    union all
    select o.object_id, o.class, o.shown, null, null, o.first_as, o.last_as, d.delegation_id, d.resource, d.account_name, d.kind, null, null
    from delegation d join whois_object o on d.kind = 'asn' and o.class = 'aut-num' and o.first_as <= d.last_as and o.last_as >= d.first_as
    where d.registry = '' and d.status <> 'closed' and not o.kept and ${isSettled(sql`d.account_name`)})
  select distinct on (over.shown, r.value, over.resource) over.class, over.shown, r.value as maintainer, l.account_name as "user", over.resource, over.account_name as holder
  from over join whois_reference r on r.object_id = over.object_id and r.attribute = 'mnt-by' and r.value <> ${profile.hostmasterMaintainer.toLowerCase()}
    join maintainer_link l on lower(l.maintainer) = r.value and l.account_name <> over.account_name
  where ${accounts === null ? sql`true` : sql`(${isOf(sql`over.account_name`, accounts)} or ${isOf(sql`l.account_name`, accounts)})`}
    and not exists (select from maintainer_link own where lower(own.maintainer) = r.value and own.account_name = over.account_name)
    -- Whom the holder let in: named by what it, or the registry for it, keeps around the object.
    and not exists (select from whois_object n join whois_reference named on named.object_id = n.object_id
      where named.value = r.value and named.attribute in ('mnt-by', 'mnt-lower', 'mnt-routes', 'mnt-domains') and n.object_id <> over.object_id
        and case when over.first is null then n.class = 'aut-num' and n.first_as = over.first_as
          else n.class in ('inetnum', 'inet6num') and n.first <= greatest(over.first, over.d_first) and n.last >= least(over.last, over.d_last) end
        and (n.kept_for = over.account_name or exists (select from whois_reference by_holder join maintainer_link h on lower(h.maintainer) = by_holder.value
          where by_holder.object_id = n.object_id and by_holder.attribute = 'mnt-by' and h.account_name = over.account_name)))
    and not exists (select from whois_consent c where c.state = 'accepted' and c.account_name = l.account_name and c.objects && array[over.class || ' ' || over.shown])
  order by over.shown, r.value, over.resource limit ${MAX_VIOLATIONS}`;

type OfRegistry = { class: string; shown: string; named: string; holder: string };

/** Objects over delegated numbers that send abuse reports to the registry through its own irt or role. */
const reportsToRegistry = (accounts: readonly string[] | null): RawBuilder<OfRegistry> => sql<OfRegistry>`
  select distinct on (o.class, o.key, r.value) o.class, o.shown, c.shown as named, d.account_name as holder
  from whois_object c join whois_reference r on r.value = c.key and r.attribute = case c.class when 'irt' then 'mnt-irt' else 'abuse-c' end
    join whois_object o on o.object_id = r.object_id and o.class in ('inetnum', 'inet6num', 'aut-num')
    join delegation d on d.registry = '' and d.status <> 'closed' and case when o.first is null then d.kind = 'asn' and d.first_as <= o.first_as and d.last_as >= o.last_as
      else d.kind <> 'asn' and family(d.first) = family(o.first) and d.first <= o.first and d.last >= o.last end
  where c.class in ('irt', 'role') and c.kept and c.kept_for is null and ${isOf(sql`d.account_name`, accounts)} and ${isSettled(sql`d.account_name`)}
  order by o.class, o.key, r.value limit ${MAX_VIOLATIONS}`;

/** Invariants of whois. */
export const whoisInvariants: readonly Invariant[] = [
  {
    name: 'whois.ledger',
    sentence: 'Whois says of each delegation who holds it, and of nothing else',
    check: async ({ read, accounts }): Promise<Violation[]> =>
      (await ledgerDifferences(read, { accounts, most: MAX_VIOLATIONS })).map(({ object, accountName, problem }) => ({
        object,
        problem,
        remedy: `The next change of ${accountName} in the ledger writes its objects anew; where a worker runs and they stay, read its log`,
      })),
  },
  {
    name: 'whois.restrained',
    sentence: 'No one changed whois objects for an account under a restriction',
    check: async ({ read, accounts, now }) =>
      (
        await read.rows<{ object: string; accountName: string; activityId: number }>(sql`
          select distinct j.class || ' ' || j.shown as object, r.account_name, j.activity_id
          from account_restraint r join activity a on a.account_name = r.account_name and a.login_subject is not null and a.activity_id > r.set_activity
              and a.happened_at >= r.begins_at and a.happened_at < least(coalesce(r.ended_at, ${now.toISOString()}::timestamptz), coalesce(r.ends_at, 'infinity'))
              and not a.details ? 'overRestraints'
            join whois_journal j on j.activity_id = a.activity_id
          where r.kind = 'restrict' and ${isOf(sql`r.account_name`, accounts)} order by 2, 3, 1 limit ${MAX_VIOLATIONS}`)
      ).map(({ object, accountName, activityId }) => ({
        object: `${object} of ${accountName}`,
        problem: `changed while the account was under a restriction, by activity ${activityId}`,
        remedy: 'Find out by the activity log how, restore what was there, and close the way',
      })),
  },
  {
    name: 'whois.handles',
    sentence: 'A handle is of one person or role',
    check: async ({ read }) =>
      (
        await read.rows<{
          key: string;
          objects: string;
        }>(sql`select key, string_agg(class || ' ' || shown, ' and ' order by class) as objects from whois_object
          where ${inHandleSpace(sql`class`)} group by key having count(*) > 1 order by key limit ${MAX_VIOLATIONS}`)
      ).map(({ key, objects }) => ({
        object: `The handle ${key.toUpperCase()}`,
        problem: `names several objects: ${objects}`,
        remedy: 'Have all but one deleted (at the desk: Registry data)',
      })),
  },
  {
    name: 'whois.maintainers',
    sentence: 'Every object over delegated numbers is maintained by their holder, by accounts that the holder let in, or by the registry',
    check: async ({ read, accounts, profile }) =>
      (await read.rows(foreignMaintainers(accounts, profile))).map(({ class: objectClass, shown, maintainer, user, resource, holder }) => ({
        object: `${objectClass} ${shown}`,
        problem: `is maintained by ${maintainer.toUpperCase()} of ${user}, and ${resource} is held by ${holder}, which has not let it in`,
        remedy: `${holder} can reclaim it, or have it deleted`,
      })),
  },
  {
    name: 'whois.abuseContacts',
    sentence: 'Abuse reports about delegated numbers go to who holds them, never to the registry',
    check: async ({ read, accounts }) =>
      (await read.rows(reportsToRegistry(accounts))).map(({ class: objectClass, shown, named, holder }) => ({
        object: `${objectClass} ${shown}`,
        problem: `names ${named} of the registry for abuse reports, and ${holder} holds its numbers`,
        remedy: `Set the abuse e-mail of ${holder}: its objects are written anew with it. In other objects ${holder} names an IRT of its own`,
      })),
  },
];
