import { sql } from 'kysely';
import { beginOf, type BoardFactsOf, endOf } from '../../platform/board-facts.ts';

/** Incidents and maintenance that began in a period, as they were announced; hours as far as they are in it. */
export const incidentFacts: BoardFactsOf = async (read, days, { now, profile: { timeZone } }) => {
  const rows = await read.rows<{ category: 'service' | 'security' | 'maintenance'; count: number; hours: string }>(sql`
    with told as (select category, coalesce(happens_from, publish_at) as begun, happens_until from announcement
      where category in ('service', 'security', 'maintenance') and publish_at <= ${now.toISOString()}::timestamptz)
    select category, count(*)::int as count, round(coalesce(sum(extract(epoch from least(happens_until, ${endOf(days, timeZone)}) - begun) / 3600), 0)::numeric, 1)::text as hours
    from told where begun >= ${beginOf(days, timeZone)} and begun < ${endOf(days, timeZone)} group by category`);
  const of = (category: (typeof rows)[number]['category']) => rows.find(row => row.category === category) ?? { count: 0, hours: '0.0' };
  return [
    { name: 'Incidents of services announced', unit: 'count', value: String(of('service').count) },
    { name: 'Hours of these incidents', unit: 'hours', value: of('service').hours },
    { name: 'Security notices', unit: 'count', value: String(of('security').count) },
    { name: 'Maintenance announced', unit: 'count', value: String(of('maintenance').count) },
    { name: 'Hours of maintenance', unit: 'hours', value: of('maintenance').hours },
  ];
};
