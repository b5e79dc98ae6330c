import type { RouteFacts } from '@portal/contract/routes/routes';
import { type NumberResource, overlapsRange, parsePrefix } from '@portal/number-resources';
import { sql } from 'kysely';
import { type Change, inPages, PAGE_ROWS, type Read } from '../../platform/database/index.ts';

/** A stored route. */
export type KeptRoute = RouteFacts & { routeId: string; changedAt: string };

/** Identifies a route among those of an account. */
export const keyOf = ({ prefix, asn }: Pick<RouteFacts, 'prefix' | 'asn'>): string => `${prefix} ${asn}`;

const columns = sql`route_id::text, prefix::text, asn, max_length, roa, whois, sub_routes::text[] as sub_routes, descr, maintainer, attributes, comment, owner, changed_at`;

/** All routes of an account, in the order of their prefixes. */
export const keptRoutes = (read: Pick<Read, 'rows'>, accountName: string): Promise<KeptRoute[]> =>
  inPages(after =>
    read.rows<KeptRoute>(sql`select ${columns} from route where account_name = ${accountName}
      ${after === null ? sql`` : sql`and (route.prefix, asn) > (${after.prefix}::cidr, ${after.asn})`} order by route.prefix, asn limit ${PAGE_ROWS}`),
  );

/** The version of an account's list; 0 before its first change. */
export async function listVersion(read: Pick<Read, 'rows'>, accountName: string): Promise<number> {
  const [row] = await read.rows<{ version: number }>(sql`select version from route_list where account_name = ${accountName}`);
  return row?.version ?? 0;
}

/** Locks the list, and returns its version. */
export async function lockList(change: Change, accountName: string): Promise<number> {
  await change.rows(sql`insert into route_list (account_name) values (${accountName}) on conflict do nothing`);
  const [row] = await change.rows<{ version: number }>(sql`select version from route_list where account_name = ${accountName} for update`);
  return row!.version;
}

/** Routes that are written out for the database in one turn. */
const WRITTEN = 250;

function* pages<Route>(routes: readonly Route[]): Generator<readonly Route[]> {
  for (let at = 0; at < routes.length; at += WRITTEN) yield routes.slice(at, at + WRITTEN);
}

/** Writes all columns of routes. */
export async function storeRoutes(
  change: Change,
  accountName: string,
  {
    added,
    changed,
    removed,
  }: { added: readonly RouteFacts[]; changed: readonly (RouteFacts & { routeId: string })[]; removed: readonly string[] },
): Promise<void> {
  const given = (list: readonly RouteFacts[]) => sql`jsonb_to_recordset(${JSON.stringify(list)}::jsonb) as g
    ("routeId" bigint, prefix cidr, asn bigint, "maxLength" int, roa boolean, whois boolean, "subRoutes" jsonb, descr text, maintainer text, attributes text, comment text, owner text)`;
  const subRoutes = sql`array(select jsonb_array_elements_text(g."subRoutes"))::cidr[]`;
  if (removed.length > 0)
    await change.rows(sql`delete from route where account_name = ${accountName} and route_id = any(${[...removed]}::bigint[])`);
  for (const some of pages(added))
    await change.rows(sql`insert into route (account_name, prefix, asn, max_length, roa, whois, sub_routes, descr, maintainer, attributes, comment, owner, created_at, changed_at)
      select ${accountName}, g.prefix, g.asn, g."maxLength", g.roa, g.whois, ${subRoutes}, g.descr, g.maintainer, g.attributes, g.comment, g.owner,
        ${change.now}::timestamptz, ${change.now}::timestamptz from ${given(some)}`);
  for (const some of pages(changed))
    await change.rows(sql`update route r set max_length = g."maxLength", roa = g.roa, whois = g.whois, sub_routes = ${subRoutes}, descr = g.descr,
        maintainer = g.maintainer, attributes = g.attributes, comment = g.comment, owner = g.owner, changed_at = ${change.now}::timestamptz
      from ${given(some)} where r.route_id = g."routeId" and r.account_name = ${accountName}`);
}

/** Deletes an account's routes for numbers that left it: those overlapping the addresses, and those from the AS numbers. */
export async function endRoutesIn(change: Change, accountName: string, moved: readonly NumberResource[]): Promise<void> {
  const gone = (await keptRoutes(change, accountName)).filter(({ prefix, asn }) => {
    const range = parsePrefix(prefix);
    return moved.some(each =>
      each.family === 'asn' ? each.first <= asn && asn <= each.last : each.family === range.family && overlapsRange(each, range),
    );
  });
  if (gone.length === 0) return;
  await lockList(change, accountName);
  await storeRoutes(change, accountName, { added: [], changed: [], removed: gone.map(({ routeId }) => routeId) });
  await change.rows(sql`update route_list set version = version + 1 where account_name = ${accountName}`);
}
