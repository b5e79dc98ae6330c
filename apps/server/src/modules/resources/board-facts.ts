import { sql } from 'kysely';
import { type BoardFactsOf, endOf, isIn } from '../../platform/board-facts.ts';

/** Delegations and free space of a period, as they were at its end. */
export const resourceFacts: BoardFactsOf = async (read, days, { profile: { timeZone } }) => {
  const [row] = await read.rows<Record<'heldIpv4' | 'heldIpv6' | 'heldAsn' | 'ipv4' | 'ipv6' | 'asn' | 'given' | 'ended', string>>(sql`
    with changed as (
      select distinct on (id) id, was from (
        select coalesce(c.before, c.after) ->> 'delegation_id' as id, c.activity_id, c.row_change_id,
          coalesce(c.before, case when (c.after ->> 'delegated_on')::date <= ${days.to}::date then c.after end) as was
        from row_change c join activity a using (activity_id) where c.table_name = 'delegation' and a.happened_at >= ${endOf(days, timeZone)}) each
      order by id, activity_id, row_change_id),
    then_so as (
      select kind, size, status, source, registry, delegated_on from delegation
        where delegation_id::text not in (select id from changed) and (delegated_on is null or delegated_on <= ${days.to}::date)
      union all select was ->> 'kind', (was ->> 'size')::numeric, was ->> 'status', was ->> 'source', was ->> 'registry', (was ->> 'delegated_on')::date
        from changed where was is not null),
    held as (select kind, size from then_so where status <> 'closed' and registry = ''),
    given as (select kind, size from then_so where registry = '' and source = 'delegated' and delegated_on between ${days.from}::date and ${days.to}::date),
    ended as (
      select distinct c.after ->> 'delegation_id' as id from row_change c join activity a using (activity_id)
      where c.table_name = 'delegation' and c.operation = 'UPDATE' and c.before ->> 'status' <> 'closed' and c.after ->> 'status' = 'closed' and ${isIn(sql`a.happened_at`, days, timeZone)})
    select (select coalesce(sum(size), 0) from held where kind = 'ipv4')::text as held_ipv4,
      (select count(*) from held where kind = 'ipv6')::text as held_ipv6, (select coalesce(sum(size), 0) from held where kind = 'asn')::text as held_asn,
      (select count(*) from given where kind = 'ipv4')::text as ipv4, (select count(*) from given where kind = 'ipv6')::text as ipv6,
      (select count(*) from given where kind = 'asn')::text as asn, (select coalesce(sum(size), 0) from given where kind = 'ipv4')::text as given,
      (select count(*) from ended)::text as ended`);
  const free = await freeIpv4(read, days, timeZone);
  const count = (name: string, value: string | null) => ({ name, unit: 'count' as const, value });
  return [
    count('IPv4 addresses held at the end', row!.heldIpv4),
    count('IPv6 delegations held at the end', row!.heldIpv6),
    count('AS numbers held at the end', row!.heldAsn),
    count('IPv4 delegations made', row!.ipv4),
    count('IPv4 addresses delegated', row!.given),
    count('IPv6 delegations made', row!.ipv6),
    count('AS number delegations made', row!.asn),
    count('Delegations that ended', row!.ended),
    count('IPv4 addresses free at the end', free),
  ];
};

/** IPv4 addresses that were available at the end of a period; null of a time before the pools were recorded. */
async function freeIpv4(read: Parameters<BoardFactsOf>[0], days: Parameters<BoardFactsOf>[1], timeZone: string): Promise<string | null> {
  const [row] = await read.rows<{ free: string; known: boolean }>(sql`
    with changed as (
      select distinct on (id) id, was from (
        select coalesce(c.before, c.after) ->> 'pool_id' as id, c.activity_id, c.row_change_id, c.before as was
        from row_change c join activity a using (activity_id) where c.table_name = 'pool' and a.happened_at >= ${endOf(days, timeZone)}) each
      order by id, activity_id, row_change_id),
    then_so as (
      select kind, size, state, registry from pool where pool_id::text not in (select id from changed)
      union all select was ->> 'kind', (was ->> 'size')::numeric, was ->> 'state', was ->> 'registry' from changed where was is not null)
    select (select coalesce(sum(size), 0) from then_so where kind = 'ipv4' and registry = '' and state = 'available')::text as free,
      exists (select from then_so) as known`);
  return row!.known ? row!.free : null;
}
