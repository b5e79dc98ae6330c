import { sql } from 'kysely';
import type { RegionPart, RegionStage } from '../../platform/demo.ts';

const AT_ONCE = 500;

/** Routes of the holders with ROAs: each ROA is a route, with a whois object where there is one. */
const routes: RegionStage = {
  name: 'routes',
  title: 'Routes',
  parts: async ({ db }) => {
    const holders = await db.read.rows<{
      accountName: string;
    }>(sql`select distinct account_name from roa join account a using (account_name)
      where a.statistics_id is not null order by 1`);
    return Array.from(
      { length: Math.ceil(holders.length / AT_ONCE) },
      (_, part): RegionPart =>
        async change => {
          const names = holders.slice(part * AT_ONCE, (part + 1) * AT_ONCE).map(({ accountName }) => accountName);
          const written =
            await change.rows(sql`insert into route (account_name, prefix, asn, max_length, roa, whois, descr, maintainer, created_at, changed_at)
        select r.account_name, r.prefix, r.asn, r.max_length, true, o.object_id is not null, case when o.object_id is null then '' else a.org_name end,
          coalesce(l.maintainer, ''), ${change.now}::timestamptz, ${change.now}::timestamptz
        from roa r join account a using (account_name) left join maintainer_link l on l.account_name = r.account_name and l.principal
          left join whois_object o on o.class = case family(r.prefix) when 4 then 'route' else 'route6' end and o.key = lower(r.prefix::text || 'as' || r.asn)
        where r.account_name = any(${names}::text[]) order by r.account_name, r.prefix, r.asn on conflict do nothing returning route_id`);
          return written.length;
        },
    );
  },
};

export const regionStages: readonly RegionStage[] = [routes];
