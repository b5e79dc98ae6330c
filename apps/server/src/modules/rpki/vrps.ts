import { sql, type RawBuilder } from 'kysely';
import type { Read } from '../../platform/database/index.ts';

/** A validated ROA payload of this registry, as routers get it. */
export type PublishedVrp = { accountName: string; prefix: string; asn: number; maxLength: number };

const inOrder = (rows: RawBuilder<unknown>): RawBuilder<PublishedVrp> => sql`select account_name, prefix::text, asn, max_length
  from (${rows}) derived order by family(prefix), prefix, asn`;

/** Lists the VRPs of the published repository, of one account or all, ordered by prefix. */
export const listVrps = (read: Pick<Read, 'rows'>, accountName?: string): Promise<PublishedVrp[]> =>
  read.rows<PublishedVrp>(
    inOrder(sql`select r.account_name, r.prefix, r.asn, r.max_length from rpki_object o cross join unnest(o.roa_ids) as made (roa_id)
      join roa r on r.roa_id = made.roa_id
      where o.kind = 'roa' and ${accountName === undefined ? sql`true` : sql`r.account_name = ${accountName}`}
    union select c.account_name, v.prefix, v.asn, v.max_length from rpki_child_vrp v join rpki_child c using (child_id)
      where ${accountName === undefined ? sql`true` : sql`c.account_name = ${accountName}`}`),
  );

const ofPublishedRoas = sql`exists (select from rpki_object o where o.kind = 'roa' and o.roa_ids @> array[r.roa_id])`;

/** Lists the present VRPs of any publisher that contain one of these prefixes: those that decide whether an announcement of it is valid. */
export const vrpsCovering = (read: Pick<Read, 'rows'>, prefixes: readonly string[]): Promise<PublishedVrp[]> =>
  read.rows<PublishedVrp>(
    inOrder(sql`select r.account_name, r.prefix, r.asn, r.max_length
      from (select distinct r.roa_id from unnest(${[...prefixes]}::cidr[]) as w (prefix) join roa r on r.prefix >>= w.prefix) near join roa r using (roa_id)
      where ${ofPublishedRoas}
    union select c.account_name, v.prefix, v.asn, v.max_length
      from unnest(${[...prefixes]}::cidr[]) as w (prefix) join rpki_child_vrp v on v.prefix >>= w.prefix join rpki_child c using (child_id)`),
  );

/** Lists VRPs of any publisher that overlap a prefix, however large it is: not more than so many of hosted RPKI, and as many of members' own authorities. */
export const someVrpsAround = (read: Pick<Read, 'rows'>, prefix: string, most: number): Promise<PublishedVrp[]> =>
  read.rows<PublishedVrp>(
    inOrder(sql`(select r.account_name, r.prefix, r.asn, r.max_length from roa r where r.prefix && ${prefix}::cidr and ${ofPublishedRoas} limit ${most})
    union (select c.account_name, v.prefix, v.asn, v.max_length from rpki_child_vrp v join rpki_child c using (child_id) where v.prefix && ${prefix}::cidr limit ${most})`),
  );

/** Lists the present VRPs of any publisher that overlap these prefixes: space of an account, or prefixes that a call names, because of large space they are many. */
export const vrpsAround = (read: Pick<Read, 'rows'>, prefixes: readonly string[]): Promise<PublishedVrp[]> =>
  read.rows<PublishedVrp>(
    inOrder(sql`select r.account_name, r.prefix, r.asn, r.max_length
      from (select distinct r.roa_id from unnest(${[...prefixes]}::cidr[]) as w (prefix) join roa r on r.prefix && w.prefix) near join roa r using (roa_id)
      where exists (select from rpki_object o where o.kind = 'roa' and o.roa_ids @> array[r.roa_id])
    union select c.account_name, v.prefix, v.asn, v.max_length
      from unnest(${[...prefixes]}::cidr[]) as w (prefix) join rpki_child_vrp v on v.prefix && w.prefix join rpki_child c using (child_id)`),
  );
