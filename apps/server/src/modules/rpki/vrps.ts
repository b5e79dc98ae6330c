import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';

/** A validated ROA payload, as routers get it from a ROA of this registry. */
export type PublishedVrp = { accountName: string; prefix: string; asn: number; maxLength: number };

/** Lists what validators derive from the published repository: of one account, or of all, in the order of prefixes. */
export const listVrps = (read: Pick<Read, 'rows'>, accountName?: string): Promise<PublishedVrp[]> =>
  read.rows<PublishedVrp>(sql`select r.account_name, r.prefix::text, r.asn, r.max_length from rpki_object o cross join unnest(o.roa_ids) as made (roa_id)
    join roa r on r.roa_id = made.roa_id
    where o.kind = 'roa' and ${accountName === undefined ? sql`true` : sql`r.account_name = ${accountName}`} order by family(r.prefix), r.prefix, r.asn`);

/** Lists what validators derive now for addresses in common with these prefixes from any publisher. */
export const vrpsAround = (read: Pick<Read, 'rows'>, prefixes: readonly string[]): Promise<PublishedVrp[]> =>
  read.rows<PublishedVrp>(sql`select r.account_name, r.prefix::text, r.asn, r.max_length
    from (select distinct r.roa_id from unnest(${[...prefixes]}::cidr[]) as w (prefix) join roa r on r.prefix && w.prefix) near join roa r using (roa_id)
    where exists (select from rpki_object o where o.kind = 'roa' and o.roa_ids @> array[r.roa_id]) order by family(r.prefix), r.prefix, r.asn`);
