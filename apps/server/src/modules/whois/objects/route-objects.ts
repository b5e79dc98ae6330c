import { sql } from 'kysely';
import { breathing } from '../../../platform/breathing.ts';
import { inStream, type Read } from '../../../platform/database/index.ts';
import type { StoredObject } from '../store/update.ts';
import { maintainersIn, objectOfRow } from '../store/object-facts.ts';

/** A parsed route or route6 object. */
export type RouteObjectRow = {
  class: 'route' | 'route6';
  key: string;
  shown: string;
  text: string;
  version: number;
  prefix: string;
  asn: number;
  /** Keys of its maintainers. */
  maintainers: string[];
};

type Row = Pick<StoredObject, 'class' | 'key' | 'shown' | 'text' | 'version'> & { prefix: string; asn: number };

/**
 * Lists the route objects inside these prefixes, theirs included, in the order of prefixes and AS numbers, while others have their turn. A look in the index for each
 * prefix: joined, the planner compares every route object of the region with every prefix of the largest holder, 200 s.
 */
export async function listRouteObjects(read: Pick<Read, 'stream'>, prefixes: readonly string[]): Promise<RouteObjectRow[]> {
  if (prefixes.length === 0) return [];
  const rows = await inStream(
    read,
    sql<Row>`select distinct on (family(o.first), o.first, o.prefix_length, o.origin, o.object_id) o.class, o.key, o.shown, o.text, o.version,
      host(o.first) || '/' || o.prefix_length as prefix, o.origin as asn
    from unnest(${[...prefixes]}::cidr[]) as w (prefix) cross join lateral (select * from whois_object r where r.class in ('route', 'route6')
      and r.first >= host(network(w.prefix))::inet and r.first <= host(broadcast(w.prefix))::inet and r.prefix_length >= masklen(w.prefix) offset 0) o
    where o.origin is not null order by family(o.first), o.first, o.prefix_length, o.origin, o.object_id`,
  );
  const breathe = breathing();
  const objects: RouteObjectRow[] = [];
  for (const row of rows) {
    objects.push({
      class: row.class as RouteObjectRow['class'],
      key: row.key,
      shown: row.shown,
      text: row.text,
      version: row.version,
      prefix: row.prefix,
      asn: row.asn,
      maintainers: maintainersIn(objectOfRow(row), 'mnt-by'),
    });
    await breathe();
  }
  return objects;
}
