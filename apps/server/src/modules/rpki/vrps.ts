import { sql, type RawBuilder } from 'kysely';
import { inStream, preparedQuery, type Read } from '../../platform/database/index.ts';

/** A validated ROA payload of this registry, as routers get it. */
export type PublishedVrp = { accountName: string; prefix: string; asn: number; maxLength: number };

/** A list may have as many VRPs as all members together, so it is read in batches. */
type ReadLists = Pick<Read, 'stream'>;

const list = (read: ReadLists, rows: RawBuilder<unknown>): Promise<PublishedVrp[]> =>
  inStream(
    read,
    sql<PublishedVrp>`select account_name, prefix::text, asn, max_length from (${rows}) derived order by family(derived.prefix), derived.prefix, asn, max_length`,
  );

/** Lists the VRPs of the published repository, of one account or all, ordered by prefix. */
export const listVrps = (read: ReadLists, accountName?: string): Promise<PublishedVrp[]> =>
  list(
    read,
    sql`select r.account_name, r.prefix, r.asn, r.max_length from rpki_object o cross join unnest(o.roa_ids) as made (roa_id)
      join roa r on r.roa_id = made.roa_id
      where o.kind = 'roa' and ${accountName === undefined ? sql`true` : sql`r.account_name = ${accountName}`}
    union select c.account_name, v.prefix, v.asn, v.max_length from rpki_child_vrp v join rpki_child c using (child_id)
      where ${accountName === undefined ? sql`true` : sql`c.account_name = ${accountName}`}`,
  );

/**
 * SQL: ROAs of `near` that are published, and what members' own authorities publish. Whether a ROA is in a file is asked once for each account that has some here: one
 * file may have tens of thousands of them. `others`: rows of `rpki_child_vrp`.
 */
const PUBLISHED = `select near.account_name, near.prefix, near.asn, near.max_length from near where near.roa_id in (
      select made.roa_id from (select distinct account_name from near) of join rpki_ca c using (account_name) join rpki_key k using (ca_id)
        join rpki_object o using (key_id) cross join unnest(o.roa_ids) as made (roa_id) where o.kind = 'roa')
    union select c.account_name, v.prefix, v.asn, v.max_length from others v join rpki_child c using (child_id)`;

/** Lists published ROAs and VRPs of members' own authorities. @param roas rows of `roa` @param others rows of `rpki_child_vrp` */
const published = (read: ReadLists, roas: RawBuilder<unknown>, others: RawBuilder<unknown>): Promise<PublishedVrp[]> =>
  list(read, sql`with near as materialized (${roas}), others as materialized (${others}) ${sql.raw(PUBLISHED)}`);

// Each prefix is looked up in the tree of prefixes by itself, so that none is a scan; one that covers several is found by each of them.
const roasCovering = (prefixes: readonly string[]): RawBuilder<unknown> => sql`select distinct found.*
  from (select distinct prefix from unnest(${[...prefixes]}::cidr[]) as each (prefix)) w
  cross join lateral (select * from roa where roa.prefix >>= w.prefix offset 0) found`;
const othersCovering = (prefixes: readonly string[]): RawBuilder<unknown> => sql`select distinct found.*
  from (select distinct prefix from unnest(${[...prefixes]}::cidr[]) as each (prefix)) w
  cross join lateral (select * from rpki_child_vrp p where p.prefix >>= w.prefix offset 0) found`;
const roasAround = (prefixes: readonly string[]): RawBuilder<unknown> => sql`select distinct found.*
  from outermost_prefixes(${[...prefixes]}::cidr[]) as w cross join lateral (select * from roa where roa.prefix && w.prefix offset 0) found`;
const othersAround = (prefixes: readonly string[]): RawBuilder<unknown> => sql`select distinct found.*
  from outermost_prefixes(${[...prefixes]}::cidr[]) as w cross join lateral (select * from rpki_child_vrp p where p.prefix && w.prefix offset 0) found`;

/** Lists the present VRPs of any publisher that contain one of these prefixes: those that decide whether an announcement of it is valid. */
export const vrpsCovering = (read: ReadLists, prefixes: readonly string[]): Promise<PublishedVrp[]> =>
  published(read, roasCovering(prefixes), othersCovering(prefixes));

const AROUND = preparedQuery<{ looked: number } & { [Name in keyof PublishedVrp]: PublishedVrp[Name] | null }>(`
    with near as materialized (select * from roa where prefix && $1::cidr limit $2::int), others as materialized (select * from rpki_child_vrp where prefix && $1::cidr limit $2::int),
      found as (${PUBLISHED})
    select l.looked, found.account_name, found.prefix::text, found.asn, found.max_length
    from (select greatest((select count(*) from near), (select count(*) from others))::int as looked) l left join found on true
    order by family(found.prefix), found.prefix, found.asn, found.max_length`);

/**
 * Lists VRPs of any publisher that overlap a prefix, however large it is: not more than so many of hosted RPKI, and as many of members' own authorities. `isWhole`: these are
 * all of them.
 */
export async function someVrpsAround(
  read: Pick<Read, 'rows'>,
  prefix: string,
  most: number,
): Promise<{ vrps: PublishedVrp[]; isWhole: boolean }> {
  const rows = await read.rows(AROUND(prefix, most));
  const vrps = rows.flatMap(({ accountName, prefix: of, asn, maxLength }) =>
    accountName === null || of === null || asn === null || maxLength === null ? [] : [{ accountName, prefix: of, asn, maxLength }],
  );
  return { vrps, isWhole: (rows[0]?.looked ?? most) < most };
}

/** Lists the present VRPs of any publisher that overlap these prefixes: space of an account, or prefixes that a call names, because of large space they are many. */
export const vrpsAround = (read: ReadLists, prefixes: readonly string[]): Promise<PublishedVrp[]> =>
  published(read, roasAround(prefixes), othersAround(prefixes));
