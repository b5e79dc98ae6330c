import { prefixAt, parsePrefix, printPrefix } from '@portal/number-resources';
import { inPages, PAGE_ROWS, preparedQuery, type Read } from '../../platform/database/index.ts';

/** An announcement seen by collectors. */
export type Announcement = { prefix: string; asn: number; peers: number };
/** The announcements of some space seen by collectors; `collectedAt` is null if no table was imported for it. */
export type RoutingView = { collectedAt: string | null; announcements: Announcement[] };

const TABLES = preparedQuery<{
  bgpTableId: string;
  family: number;
  collectedAt: string;
}>(`select bgp_table_id::text, family, collected_at from bgp_table
    where state = 'current' and (account_name is null or account_name = $1::text)
      and ($2::int = 0 or family in (select family(prefix) from unnest($3::cidr[]) as w (prefix)))
    order by collected_at`);
// Space whose end is before the row to go on after was read by earlier pages. The index takes one bound to begin at: it has to be the later one.
const INSIDE = preparedQuery<Announcement>(`select a.prefix::text, a.asn, max(a.peers)::int as peers
    from outermost_prefixes($1::cidr[]) as o (prefix)
    cross join lateral (select o.prefix, (host(broadcast(o.prefix)) || case family(o.prefix) when 4 then '/32' else '/128' end)::cidr as last) w
    join unnest($2::bigint[], $3::int[]) as t (bgp_table_id, family) on t.family = family(w.prefix)
    cross join lateral (select prefix, asn, peers from bgp_announcement where bgp_table_id = t.bgp_table_id and prefix <= w.last
      and (prefix, asn) > (greatest($4::cidr, w.prefix), case when $4::cidr >= w.prefix then $5::bigint else -1 end) order by prefix, asn limit $6::int) a
    where $4::cidr is null or w.last >= $4::cidr
    group by a.prefix, a.asn order by a.prefix, a.asn limit $6::int`);
const EXACTLY = preparedQuery<Announcement>(`select a.prefix::text, a.asn, max(a.peers)::int as peers
      from bgp_table t join bgp_announcement a using (bgp_table_id)
      where t.state = 'current' and (t.account_name is null or t.account_name = $1::text) and a.prefix = any($2::cidr[])
      group by a.prefix, a.asn order by a.prefix, a.asn`);
const PEERS = preparedQuery<{ peers: number }>(`select coalesce(max(peers), 0)::int as peers from bgp_table
      where state = 'current' and account_name is null and family in (select family(prefix) from unnest($1::cidr[]) as w (prefix))`);

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
  const tables = await read.rows(TABLES(accountName, prefixes.length, prefixes));
  if (tables.length === 0) return { collectedAt: null, announcements: [] };
  if (prefixes.length === 0) return { collectedAt: tables[0]!.collectedAt, announcements: [] };
  // In cidr order the more specific prefixes follow their parent directly, so one range of the primary key contains them all.
  const page = (after: Announcement | null, limit: number): Promise<Announcement[]> =>
    read.rows(
      INSIDE(
        prefixes,
        tables.map(table => table.bgpTableId),
        tables.map(table => table.family),
        after?.prefix ?? null,
        after?.asn ?? null,
        limit,
      ),
    );
  const announcements = most === undefined ? await inPages<Announcement>(after => page(after, PAGE_ROWS)) : await page(null, most);
  return { collectedAt: tables[0]!.collectedAt, announcements };
}

/** Returns the announcements of exactly these prefixes, and the most peers that see any announcement of their address family. */
export async function announcementsOf(
  read: Pick<Read, 'rows'>,
  accountName: string | null,
  prefixes: readonly string[],
): Promise<{ peers: number; announcements: Announcement[] }> {
  const [announcements, [table]] = await Promise.all([read.rows(EXACTLY(accountName, prefixes)), read.rows(PEERS(prefixes))]);
  return { peers: table?.peers ?? 0, announcements };
}

/** Announcements of a part of the space looked at, the first by prefix: enough to name. */
const MAX_LIVE = 20;

/** Announcements that carry traffic of some space, of it, inside it and around it, with how many peers the tables have; `collectedAt` is null if no table was imported for it. */
export type LiveAnnouncements = RoutingView & { peers: number };

/**
 * Returns which announcements carry traffic of these prefixes now, by the registry's own tables: a holder's upload says nothing of a return. What covers everything, such as a
 * default route, isn't one of them.
 */
export async function liveAnnouncements(read: Pick<Read, 'rows'>, prefixes: readonly string[]): Promise<LiveAnnouncements> {
  const around = prefixes.map(parsePrefix).flatMap(({ family, first, length }) => {
    const shortest = family === 'ipv4' ? 8 : 16;
    return Array.from({ length: Math.max(0, length - shortest) }, (_, place) => printPrefix(prefixAt(family, first, shortest + place)));
  });
  const [inside, covering] = await Promise.all([
    routingView(read, null, prefixes, { most: MAX_LIVE }),
    announcementsOf(read, null, [...new Set(around)]),
  ]);
  const { peers } = covering.peers > 0 ? covering : await announcementsOf(read, null, prefixes);
  return { collectedAt: inside.collectedAt, peers, announcements: [...inside.announcements, ...covering.announcements] };
}
