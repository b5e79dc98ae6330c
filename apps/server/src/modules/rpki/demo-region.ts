import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { RegionPart, RegionStage } from '../../platform/demo.ts';

const AT_ONCE = 500;
/** One of so many holders uses hosted RPKI, with so many ROAs at most. */
const USES_RPKI = 3;
const MOST = 200;

/** ROAs of a third of the holders for what is announced in their space. Nothing is signed here: the publisher makes keys and certificates once the program is running. */
const roas: RegionStage = {
  name: 'roas',
  title: 'ROAs',
  parts: async ({ db, plan }) => {
    const holders = (
      await db.read.rows<{ accountName: string }>(sql`select distinct account_name from delegation d join account a using (account_name)
        where a.statistics_id is not null and d.registry = '' and d.kind <> 'asn' and d.status <> 'closed' order by 1`)
    ).filter((_, place) => place % USES_RPKI === 0);
    return Array.from(
      { length: Math.ceil(holders.length / AT_ONCE) },
      (_, part): RegionPart =>
        async change => {
          const names = holders.slice(part * AT_ONCE, (part + 1) * AT_ONCE).map(({ accountName }) => accountName);
          const handles = names.map(name => createHash('sha256').update(`${plan.seed} ${name}`).digest('hex').slice(0, 24));
          await change.rows(sql`insert into rpki_ca (kind, account_name, handle, enabled_at)
        select 'member', account_name, handle, ${change.now}::timestamptz from unnest(${names}::text[], ${handles}::text[]) as w (account_name, handle)`);
          // A prefix is announced inside at most one delegation, which begins at its first address or before.
          const written = await change.rows(sql`insert into roa (account_name, prefix, max_length, asn, comment, created_at)
        select account_name, prefix, masklen(prefix), asn, 'As announced', ${change.now}::timestamptz from (
          select d.account_name, b.prefix, b.asn, row_number() over (partition by d.account_name order by b.prefix, b.asn) as place
          from delegation d join bgp_table t on t.state = 'current' and t.account_name is null and t.family = family(d.first)
            join bgp_announcement b on b.bgp_table_id = t.bgp_table_id and b.prefix >= network(set_masklen(d.first, case family(d.first) when 4 then 8 else 12 end))::cidr
              and b.prefix <= d.last::cidr and host(b.prefix)::inet >= d.first and host(broadcast(b.prefix))::inet <= d.last
          where d.account_name = any(${names}::text[]) and d.registry = '' and d.kind <> 'asn' and d.status <> 'closed' and b.asn > 0) each
        where place <= ${MOST}::integer on conflict do nothing returning roa_id`);
          return names.length + written.length;
        },
    );
  },
};

export const regionStages: readonly RegionStage[] = [roas];
