import { monthsAfter } from '@portal/contract/days';
import type { ResourceFamily } from '@portal/number-resources';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import type { Profile } from '../../profile.ts';
import { type AnswerFigures, countLevels, type LevelFigures } from './level-figures.ts';

/** Addresses or AS numbers as decimal digits: IPv6 has more than a number can hold. */
type Digits = string;

export type PoolFigures = {
  kind: ResourceFamily;
  available: Digits;
  reserved: Digits;
  delegated: Digits;
  /** The largest free block; null where nothing is free. */
  largest: string | null;
  /** Given out in the last 12 months, from the pool. */
  given: Digits;
  /** Given out in the busiest and in the quietest of the last three years, which end on the day; years before the first delegation don’t count. */
  givenMost?: Digits;
  givenLeast?: Digits;
};
/** Numbers of delegations by kind, and of completed transfers. */
export type Counts = { ipv4: number; ipv6: number; asn: number; between: number; incoming: number; outgoing: number };
/** Delegations and completed transfers of a month, `2026-11`. */
export type MonthFigures = { month: string } & Counts;
export type EconomyFigures = {
  economy: string;
  accounts: number;
  holders: number;
  holdIpv6: number;
  /** Delegations of the last 12 months. */
  ipv4: number;
  ipv6: number;
  asn: number;
  /** Transfers to and from accounts of the economy in the last 12 months. */
  incoming: number;
  outgoing: number;
  /** IPv4 addresses delegated, and those in the prefix of a published ROA. */
  space: Digits;
  covered: Digits;
};
export type Coverage = { kind: 'ipv4' | 'ipv6'; space: Digits; covered: Digits; delegations: number; withZones: number };
/** Figures that the public page shows for a day. Stored as it is: a new field is optional in older days. */
export type Figures = {
  pools: PoolFigures[];
  months: MonthFigures[];
  /** The 12 months that end on the day, as everything else of the page counts them, and the 12 before. */
  years?: [last: Counts, before: Counts];
  economies: EconomyFigures[];
  members: { open: number; joined: number; holders: number; holdIpv6: number; withRoa: number };
  coverage: Coverage[];
  levels: LevelFigures[];
  answers?: AnswerFigures;
};

/** Whole months before the present one that are counted. */
const MONTHS = 24;

const isHeld = sql`d.status <> 'closed' and d.registry = ''`;
/** Prefixes of published ROAs, of hosted and self-hosted authorities, without those inside another one. */
const coveredPrefixes = sql`select distinct p.prefix from (
    select r.prefix from roa r where exists (select from rpki_object o where o.kind = 'roa' and o.roa_ids @> array[r.roa_id])
    union all select v.prefix from rpki_child_vrp v) p
  where not exists (select from roa w where w.prefix >> p.prefix) and not exists (select from rpki_child_vrp w where w.prefix >> p.prefix)`;
/** Space of the ROAs in each delegation of the registry. */
const coveredSpace = sql`select d.economy, d.kind, sum(power(2::numeric, (case d.kind when 'ipv4' then 32 else 128 end) - masklen(c.prefix))) as covered
  from (${coveredPrefixes}) c join lateral (select * from delegation d where d.kind <> 'asn' and ${isHeld} and d.first <= host(network(c.prefix))::inet
    and family(d.first) = family(c.prefix) order by d.first desc limit 1) d on d.last >= host(broadcast(c.prefix))::inet
  group by d.economy, d.kind`;

/** Years whose paces the forecast compares. */
const PACES = 3;
/** The last years that end on a day: the day before each, and its last one. */
const pastYears = (day: string) => sql`(select years, (${day}::date - make_interval(years => years + 1))::date as first,
  (${day}::date - make_interval(years => years))::date as last from generate_series(0, ${PACES - 1}) as years)`;

const completedTransfers = (timeZone: string) => sql`(select r.*, (r.resolved_at at time zone ${timeZone})::date as done_on,
    coalesce((r.form ->> 'incoming')::bool, false) as is_incoming from resource_request r where r.kind in ('transfer', 'acquisition') and r.state = 'completed')`;

/** Days of the registry's calendar, and its zone. */
type Days = { days: readonly string[]; timeZone: string };

/** Counts delegations and completed transfers of the 12 months that end on each of the days, and of the 12 before: two rows a day, by day. */
export const countYears = (read: Pick<Read, 'rows'>, { days, timeZone }: Days): Promise<(Counts & { day: string })[]> =>
  read.rows(sql`with given as (select delegated_on as day, kind from delegation where registry = '' and source = 'delegated'),
      moved as (select done_on as day, case when is_incoming then 'incoming' when recipient_name is null then 'outgoing' else 'between' end as kind
        from ${completedTransfers(timeZone)} t),
      counted as (select * from given union all select * from moved)
    select d.day::text as day, count(*) filter (where c.kind = 'ipv4')::int as ipv4, count(*) filter (where c.kind = 'ipv6')::int as ipv6,
      count(*) filter (where c.kind = 'asn')::int as asn, count(*) filter (where c.kind = 'between')::int as "between",
      count(*) filter (where c.kind = 'incoming')::int as incoming, count(*) filter (where c.kind = 'outgoing')::int as outgoing
    from unnest(${days}::date[]) as d (day) cross join generate_series(0, 1) as years
      left join counted c on c.day > (d.day - make_interval(years => years + 1))::date and c.day <= (d.day - make_interval(years => years))::date
    group by d.day, years order by d.day, years`);

/** The two rows of a day, without it. */
export function countsOf(rows: readonly (Counts & { day: string })[]): [last: Counts, before: Counts] {
  const [last, before] = rows.map(({ day: _day, ...counts }): Counts => counts);
  return [last!, before!];
}

/** Delegations and transfers of the accounts of an economy in the 12 months that end on a day. */
export type Given = Pick<EconomyFigures, 'ipv4' | 'ipv6' | 'asn' | 'incoming' | 'outgoing'>;
type EconomyGiven = Given & { day: string; economy: string };

/** Counts what the accounts of each economy got, and gave to others, in the 12 months that end on each of the days: the window of `countYears`. */
export const countByEconomy = (read: Pick<Read, 'rows'>, { days, timeZone }: Days): Promise<EconomyGiven[]> =>
  read.rows(sql`with moved as (select t.done_on, case when is_incoming then null else a.economy end as origin,
        case when is_incoming then a.economy else b.economy end as target
      from ${completedTransfers(timeZone)} t join account a using (account_name) left join account b on b.account_name = t.recipient_name),
      counted as (select delegated_on as day, economy, kind from delegation where registry = '' and source = 'delegated'
        union all select done_on, target, 'incoming' from moved union all select done_on, origin, 'outgoing' from moved)
    select d.day::text as day, c.economy, count(*) filter (where c.kind = 'ipv4')::int as ipv4, count(*) filter (where c.kind = 'ipv6')::int as ipv6,
      count(*) filter (where c.kind = 'asn')::int as asn, count(*) filter (where c.kind = 'incoming')::int as incoming,
      count(*) filter (where c.kind = 'outgoing')::int as outgoing
    from unnest(${days}::date[]) as d (day) join counted c on c.day > (d.day - interval '1 year')::date and c.day <= d.day
    where c.economy is not null group by d.day, c.economy order by d.day, c.economy`);

/** Economies with what each got. Those that have no member and hold nothing any more are among them, so that the sums are those of the page. */
export function withGiven(economies: readonly Omit<EconomyFigures, keyof Given>[], given: readonly EconomyGiven[]): EconomyFigures[] {
  const nothing: Given = { ipv4: 0, ipv6: 0, asn: 0, incoming: 0, outgoing: 0 };
  const got = new Map(given.map(({ day: _day, economy, ...counts }) => [economy, counts]));
  const others = [...got.keys()].filter(economy => economies.every(each => each.economy !== economy));
  return [
    ...economies.map(each => ({ ...each, ...(got.get(each.economy) ?? nothing) })),
    ...others.map(economy => ({ economy, accounts: 0, holders: 0, holdIpv6: 0, space: '0', covered: '0', ...got.get(economy)! })),
  ];
}

/**
 * Counts the figures of a day from the ledger. Delegations count by the day on which they were made, also those that ended since; transfers by the day on which they were
 * completed.
 * @param day of the registry's calendar, today
 */
export async function countFigures(read: Pick<Read, 'rows'>, { day, profile }: { day: string; profile: Profile }): Promise<Figures> {
  const { timeZone } = profile;
  const yearAgo = sql`(${day}::date - interval '1 year')::date`;
  const transfers = completedTransfers(timeZone);
  const firstMonth = `${monthsAfter(`${day.slice(0, 7)}-01`, -MONTHS).slice(0, 7)}-01`;
  const [pools, months, years, economies, given, members, coverage, levels] = await Promise.all([
    read.rows<PoolFigures>(sql`select k.kind,
        coalesce((select sum(size) from pool p where p.kind = k.kind and registry = '' and state = 'available'), 0)::text as available,
        coalesce((select sum(size) from pool p where p.kind = k.kind and registry = '' and state = 'reserved'), 0)::text as reserved,
        coalesce((select sum(size) from delegation d where d.kind = k.kind and ${isHeld}), 0)::text as delegated,
        (select resource from pool p where p.kind = k.kind and registry = '' and state = 'available' order by size desc, pool_id limit 1) as largest,
        coalesce((select sum(size) from delegation d where d.kind = k.kind and registry = '' and source = 'delegated'
          and delegated_on > ${yearAgo} and delegated_on <= ${day}::date), 0)::text as given,
        coalesce(pace.most, 0)::text as given_most, coalesce(pace.least, 0)::text as given_least
      from unnest(array['ipv4', 'ipv6', 'asn']) with ordinality as k (kind, place)
        cross join lateral (select max(each.given) as most, min(each.given) as least from (
          select y.years, coalesce(sum(d.size), 0) as given from ${pastYears(day)} as y
            left join delegation d on d.kind = k.kind and d.registry = '' and d.source = 'delegated' and d.delegated_on > y.first and d.delegated_on <= y.last
          where y.years = 0 or exists (select from delegation f where f.kind = k.kind and f.registry = '' and f.source = 'delegated' and f.delegated_on <= y.first)
          group by y.years) each) pace
      order by place`),
    read.rows<MonthFigures>(sql`with given as (select to_char(delegated_on, 'YYYY-MM') as month, kind, count(*)::int as count from delegation
          where registry = '' and source = 'delegated' and delegated_on between ${firstMonth}::date and ${day}::date group by 1, 2),
        moved as (select to_char(done_on, 'YYYY-MM') as month, case when is_incoming then 'incoming' when recipient_name is null then 'outgoing' else 'between' end as kind,
          count(*)::int as count from ${transfers} t where done_on between ${firstMonth}::date and ${day}::date group by 1, 2),
        counted as (select * from given union all select * from moved)
      select to_char(m, 'YYYY-MM') as month,
        coalesce(sum(c.count) filter (where c.kind = 'ipv4'), 0)::int as ipv4,
        coalesce(sum(c.count) filter (where c.kind = 'ipv6'), 0)::int as ipv6,
        coalesce(sum(c.count) filter (where c.kind = 'asn'), 0)::int as asn,
        coalesce(sum(c.count) filter (where c.kind = 'between'), 0)::int as "between",
        coalesce(sum(c.count) filter (where c.kind = 'incoming'), 0)::int as incoming,
        coalesce(sum(c.count) filter (where c.kind = 'outgoing'), 0)::int as outgoing
      from generate_series(${firstMonth}::date, ${day}::date, interval '1 month') as m left join counted c on c.month = to_char(m, 'YYYY-MM')
      group by m order by m`),
    countYears(read, { days: [day], timeZone }),
    read.rows<
      Omit<EconomyFigures, keyof Given>
    >(sql`with held as (select account_name, bool_or(d.kind = 'ipv6') as has_ipv6 from delegation d where ${isHeld} group by account_name),
        members as (select a.economy, count(*)::int as accounts, count(h.account_name)::int as holders, count(*) filter (where h.has_ipv6)::int as hold_ipv6
          from account a left join held h using (account_name) where a.account_status in ('open', 'suspended') and a.account_type <> 'rir' and a.economy is not null
          group by a.economy),
        space as (select economy, sum(size) as space from delegation d where d.kind = 'ipv4' and ${isHeld} group by economy),
        roas as (${coveredSpace})
      select e.economy, coalesce(m.accounts, 0) as accounts, coalesce(m.holders, 0) as holders, coalesce(m.hold_ipv6, 0) as hold_ipv6,
        coalesce(s.space, 0)::text as space, least(coalesce(r.covered, 0), coalesce(s.space, 0))::numeric(39)::text as covered
      from (select economy from members union select economy from space where economy is not null) e left join members m using (economy)
        left join space s using (economy) left join roas r on r.economy = e.economy and r.kind = 'ipv4'
      order by accounts desc, e.economy`),
    countByEconomy(read, { days: [day], timeZone }),
    read.rows<
      Figures['members']
    >(sql`with held as (select account_name, bool_or(d.kind = 'ipv6') as has_ipv6 from delegation d where ${isHeld} group by account_name),
        roas as (select account_name from roa union select c.account_name from rpki_child_vrp v join rpki_child c using (child_id))
      select count(*)::int as open, count(*) filter (where member_since > ${yearAgo} and member_since <= ${day}::date)::int as joined,
        count(h.account_name)::int as holders, count(*) filter (where h.has_ipv6)::int as hold_ipv6, count(r.account_name)::int as with_roa
      from account a left join held h using (account_name) left join roas r using (account_name)
      where a.account_status in ('open', 'suspended') and a.account_type <> 'rir'`),
    read.rows<Coverage>(sql`with roas as (${coveredSpace})
      select k.kind, coalesce(sum(d.size), 0)::text as space,
        least(coalesce(sum(d.size), 0), coalesce((select sum(covered) from roas r where r.kind = k.kind), 0))::numeric(39)::text as covered, count(d.delegation_id)::int as delegations,
        count(*) filter (where exists (select from whois_object w where w.class = 'domain' and w.first is not null and w.first between d.first and d.last)
          or exists (select from whois_object w where w.class = 'domain' and w.first is not null and inet_merge(w.first, w.last) >>= d.first))::int as with_zones
      from unnest(array['ipv4', 'ipv6']) with ordinality as k (kind, place) left join delegation d on d.kind = k.kind and ${isHeld}
      group by k.kind, place order by place`),
    countLevels(read, { day, profile }),
  ]);
  return {
    pools,
    months,
    years: countsOf(years),
    economies: withGiven(economies, given),
    members: members[0]!,
    coverage,
    ...levels,
  };
}

/** How many delegations of a kind there were in the 12 months that end on the day. Older days have them by economy only. */
export const delegationsOf = ({ years, economies }: Pick<Figures, 'years' | 'economies'>, kind: ResourceFamily): number =>
  years?.[0][kind] ?? economies.reduce((sum, each) => sum + each[kind], 0);

/** Returns how many months free numbers last at the pace of the last 12 months; null where nothing was given. */
export function monthsLeft({ available, given }: Pick<PoolFigures, 'available' | 'given'>): number | null {
  if (BigInt(given) === 0n) return null;
  return Number((BigInt(available) * 12_000n) / BigInt(given)) / 1000;
}

/** Returns a part of a whole, from 0 to 1; null of nothing. */
export const shareOf = (part: Digits | number, whole: Digits | number): number | null =>
  BigInt(whole) === 0n ? null : Number((BigInt(part) * 100_000n) / BigInt(whole)) / 100_000;
