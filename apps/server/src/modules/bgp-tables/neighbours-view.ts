import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';

/** A network to which an AS passes announcements: their number, and the largest number of collector peers that saw one. */
export type SeenNeighbour = { asn: number; announcements: number; peers: number };
/** `collectedAt` is null if no paths are known: no table was imported, or only formats without paths. */
export type NeighboursView = { collectedAt: string | null; neighbours: SeenNeighbour[] };

/** Returns the networks before an AS in the paths of the registry's tables, those seen by most peers first. The oldest table determines the age of the view. */
export async function neighboursView(read: Pick<Read, 'rows'>, asn: number): Promise<NeighboursView> {
  const tables = await read.rows<{ id: string; collectedAt: string }>(
    sql`select bgp_table_id::text as id, collected_at from bgp_table where state = 'current' and account_name is null and has_paths order by collected_at`,
  );
  if (tables.length === 0) return { collectedAt: null, neighbours: [] };
  const neighbours =
    await read.rows<SeenNeighbour>(sql`select neighbour as asn, sum(announcements)::int as announcements, max(peers)::int as peers
    from bgp_neighbour where bgp_table_id = any(${tables.map(({ id }) => id)}::bigint[]) and asn = ${asn} group by neighbour order by 3 desc, 2 desc, 1`);
  return { collectedAt: tables[0]!.collectedAt, neighbours };
}
