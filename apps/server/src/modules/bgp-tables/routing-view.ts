import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';

/** An announcement as collectors saw it. */
export type Announcement = { prefix: string; asn: number; peers: number };
/** The announcements that collectors saw of some space; `collectedAt` is null where no table was imported for it. */
export type RoutingView = { collectedAt: string | null; announcements: Announcement[] };

/**
 * Returns the announcements inside these prefixes, theirs included: of the registry's own tables, and of those the account uploaded for itself. The older of several
 * tables says how old the view is; a table of the other address family says nothing about it.
 */
export async function routingView(read: Pick<Read, 'rows'>, accountName: string | null, prefixes: readonly string[]): Promise<RoutingView> {
  const tables = await read.rows<{
    bgpTableId: string;
    family: number;
    collectedAt: string;
  }>(sql`select bgp_table_id::text, family, collected_at from bgp_table
    where state = 'current' and (account_name is null or account_name = ${accountName})
      and (${prefixes.length} = 0 or family in (select family(prefix) from unnest(${[...prefixes]}::cidr[]) as w (prefix)))
    order by collected_at`);
  if (tables.length === 0) return { collectedAt: null, announcements: [] };
  if (prefixes.length === 0) return { collectedAt: tables[0]!.collectedAt, announcements: [] };
  // The order of cidr has the more specific prefixes right behind their parent, so one range of the primary key holds them all.
  const announcements = await read.rows<Announcement>(sql`select a.prefix::text, a.asn, max(a.peers)::int as peers
    from unnest(${[...prefixes]}::cidr[]) as w (prefix)
    join unnest(${tables.map(table => table.bgpTableId)}::bigint[], ${tables.map(table => table.family)}::int[]) as t (bgp_table_id, family) on t.family = family(w.prefix)
    cross join lateral (select prefix, asn, peers from bgp_announcement where bgp_table_id = t.bgp_table_id and prefix >= w.prefix
      and prefix <= (host(broadcast(w.prefix)) || case family(w.prefix) when 4 then '/32' else '/128' end)::cidr offset 0) a
    group by a.prefix, a.asn order by family(a.prefix), a.prefix, a.asn`);
  return { collectedAt: tables[0]!.collectedAt, announcements };
}
