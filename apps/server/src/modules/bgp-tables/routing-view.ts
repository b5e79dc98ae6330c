import { sql } from 'kysely';
import { inPages, PAGE_ROWS, type Read } from '../../platform/database/index.ts';

/** An announcement seen by collectors. */
export type Announcement = { prefix: string; asn: number; peers: number };
/** The announcements of some space seen by collectors; `collectedAt` is null if no table was imported for it. */
export type RoutingView = { collectedAt: string | null; announcements: Announcement[] };

/**
 * Returns the announcements of these prefixes and inside them, from the registry's tables and the account's own upload. The oldest table of the same
 * address family determines the age of the view. @param most announcements, the first by prefix; all by default, which of space that an account holds are tens of thousands at most
 */
export async function routingView(
  read: Pick<Read, 'rows'>,
  accountName: string | null,
  prefixes: readonly string[],
  { most }: { most?: number } = {},
): Promise<RoutingView> {
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
  // In cidr order the more specific prefixes follow their parent directly, so one range of the primary key contains them all.
  const page = (after: Announcement | null, limit: number): Promise<Announcement[]> =>
    read.rows<Announcement>(sql`select a.prefix::text, a.asn, max(a.peers)::int as peers
    from outermost_prefixes(${[...prefixes]}::cidr[]) as w (prefix)
    join unnest(${tables.map(table => table.bgpTableId)}::bigint[], ${tables.map(table => table.family)}::int[]) as t (bgp_table_id, family) on t.family = family(w.prefix)
    cross join lateral (select prefix, asn, peers from bgp_announcement where bgp_table_id = t.bgp_table_id and prefix >= w.prefix
      and prefix <= (host(broadcast(w.prefix)) || case family(w.prefix) when 4 then '/32' else '/128' end)::cidr
      ${after === null ? sql`` : sql`and (prefix, asn) > (${after.prefix}::cidr, ${after.asn}::bigint)`} order by prefix, asn limit ${limit}) a
    group by a.prefix, a.asn order by a.prefix, a.asn limit ${limit}`);
  const announcements = most === undefined ? await inPages<Announcement>(after => page(after, PAGE_ROWS)) : await page(null, most);
  return { collectedAt: tables[0]!.collectedAt, announcements };
}

/** Returns the announcements of exactly these prefixes, and the most peers that see any announcement of their address family. */
export async function announcementsOf(
  read: Pick<Read, 'rows'>,
  accountName: string | null,
  prefixes: readonly string[],
): Promise<{ peers: number; announcements: Announcement[] }> {
  const [announcements, [table]] = await Promise.all([
    read.rows<Announcement>(sql`select a.prefix::text, a.asn, max(a.peers)::int as peers
      from bgp_table t join bgp_announcement a using (bgp_table_id)
      where t.state = 'current' and (t.account_name is null or t.account_name = ${accountName}) and a.prefix = any(${[...prefixes]}::cidr[])
      group by a.prefix, a.asn order by a.prefix, a.asn`),
    read.rows<{ peers: number }>(sql`select coalesce(max(peers), 0)::int as peers from bgp_table
      where state = 'current' and account_name is null and family in (select family(prefix) from unnest(${[...prefixes]}::cidr[]) as w (prefix))`),
  ]);
  return { peers: table?.peers ?? 0, announcements };
}
