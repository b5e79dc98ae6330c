import { sql } from 'kysely';
import { inStream, type Read } from '../../../platform/database/index.ts';
import { maintainersIn, objectOfRow } from '../store/object-facts.ts';

/** A route or route6 object. */
export type RouteObjectRow = {
  class: 'route' | 'route6';
  key: string;
  shown: string;
  text: string;
  version: number;
  prefix: string;
  asn: number;
};

/** Keys of the maintainers of a route object, from its text: asked of the few objects that are shown or decided about, not of the thousands that are listed. */
export const maintainersOfRoute = (object: RouteObjectRow): string[] => maintainersIn(objectOfRow(object), 'mnt-by');

/**
 * Lists the route objects inside these prefixes, theirs included, in the order of prefixes and AS numbers, while others have their turn. A look in the index for each
 * prefix: joined, the planner compares every route object of the region with every prefix of the largest holder, 200 s.
 */
export async function listRouteObjects(read: Pick<Read, 'stream'>, prefixes: readonly string[]): Promise<RouteObjectRow[]> {
  if (prefixes.length === 0) return [];
  return await inStream(
    read,
    sql<RouteObjectRow>`select distinct on (family(o.first), o.first, o.prefix_length, o.origin, o.object_id) o.class, o.key, o.shown, o.text, o.version,
      host(o.first) || '/' || o.prefix_length as prefix, o.origin as asn
    from unnest(${[...prefixes]}::cidr[]) as w (prefix) cross join lateral (select * from whois_object r where r.class in ('route', 'route6')
      and r.first >= host(network(w.prefix))::inet and r.first <= host(broadcast(w.prefix))::inet and r.prefix_length >= masklen(w.prefix) offset 0) o
    where o.origin is not null order by family(o.first), o.first, o.prefix_length, o.origin, o.object_id`,
  );
}
