import { sql } from 'kysely';
import type { Change, Read } from '../../../platform/database/index.ts';
import type { Profile } from '../../../profile.ts';
import { objectOfRow } from '../objects/object-facts.ts';
import { lockWhois } from '../submit/lock.ts';
import { storeObjects } from '../submit/store.ts';
import type { StoredObject } from '../submit/update.ts';

type Range = { first: string | null; last: string | null };
const within = ({ first, last }: Range) => sql`class in ('inetnum', 'inet6num', 'route', 'route6', 'domain') and not kept
  and whois_object.first >= ${first}::inet and whois_object.last <= ${last}::inet`;

/** Lists what members keep in whois below or for a range: networks, routes, reverse domains. At most `limit`. */
export const memberObjectsIn = (read: Pick<Read, 'rows'>, range: Range, limit: number): Promise<{ class: string; shown: string }[]> =>
  range.first === null
    ? Promise.resolve([])
    : read.rows(sql`select class, shown from whois_object where ${within(range)} order by first, last desc, class limit ${limit}`);

/** Deletes what members kept in whois for a range that has another holder, or none, from now on. Answers how many objects went. */
export async function endObjectsIn(change: Change, range: Range, reason: string, profile: Profile): Promise<number> {
  if (range.first === null) return 0;
  await lockWhois(change);
  const rows =
    await change.rows<StoredObject>(sql`select object_id, class, key, shown, text, version, host(first) as first, host(last) as last, first_as, last_as,
    registry_maintained, kept_for, kept, created_at, changed_at from whois_object where ${within(range)}`);
  await storeObjects(
    change,
    rows.map(row => ({
      operation: 'delete' as const,
      class: row.class,
      key: row.key,
      shown: row.shown,
      object: objectOfRow(row),
      stored: row,
      reason,
    })),
    profile,
  );
  return rows.length;
}
