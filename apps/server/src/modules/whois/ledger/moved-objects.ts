import { parseObject, type RpslObject, valuesOf, withValue } from '@portal/rpsl';
import { type RawBuilder, sql } from 'kysely';
import type { Change, Read } from '../../../platform/database/index.ts';
import type { Profile } from '../../../profile.ts';
import { objectOfRow } from '../store/object-facts.ts';
import { lockWhois } from '../store/lock.ts';
import { registryDefaults } from './registry-objects.ts';
import { storeObjects } from '../store/store.ts';
import type { StoredObject } from '../store/update.ts';

type Range = { first: string | null; last: string | null };
const contactAttributes = ['admin-c', 'tech-c', 'mnt-irt'] as const;

const geofeedRemark = /^geofeed:?\s/i;
const geofeedPrefix = /^geofeed:?\s+/i;

/** The registry's object of a range, or around it. */
async function networkObject(read: Pick<Read, 'rows'>, { first, last }: Range): Promise<RpslObject | null> {
  if (first === null) return null;
  const [row] = await read.rows<{ text: string }>(sql`select text from whois_object where class in ('inetnum', 'inet6num') and kept
    and first <= ${first}::inet and last >= ${last}::inet order by first desc, last limit 1`);
  return row ? parseObject(row.text).object : null;
}

/** Returns the contacts that the registry's object around a range names, with the attributes that name them, and its geofeed. */
export async function networkDetailsOf(
  read: Pick<Read, 'rows'>,
  range: Range,
): Promise<{ contacts: { handle: string; attributes: string[] }[]; geofeed: string | null }> {
  const object = await networkObject(read, range);
  if (!object) return { contacts: [], geofeed: null };
  const named = contactAttributes.flatMap(attribute => valuesOf(object, attribute).map(handle => ({ handle, attribute })));
  const geofeed = valuesOf(object, 'geofeed')[0] ?? valuesOf(object, 'remarks').find(line => geofeedRemark.test(line)) ?? null;
  return {
    contacts: [...Map.groupBy(named, ({ handle }) => handle)].map(([handle, found]) => ({
      handle,
      attributes: found.map(({ attribute }) => attribute),
    })),
    geofeed: geofeed === null ? null : geofeed.replace(geofeedPrefix, ''),
  };
}

const storedWhere = (
  where: RawBuilder<unknown>,
): RawBuilder<StoredObject> => sql<StoredObject>`select object_id, class, key, shown, text, version, host(first) as first, host(last) as last, first_as, last_as,
    registry_maintained, kept_for, kept, created_at, changed_at from whois_object where ${where}`;

const deleteObjects = (change: Change, rows: readonly StoredObject[], reason: string, profile: Profile): Promise<unknown> =>
  storeObjects(
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

/** Deletes one object that a member kept, but not another one made since under its name. Returns whether it still existed. */
export async function endMemberObject(
  change: Change,
  { class: objectClass, shown, objectId }: { class: string; shown: string; objectId?: number | undefined },
  reason: string,
  profile: Profile,
): Promise<boolean> {
  await lockWhois(change);
  const rows = await change.rows(
    storedWhere(sql`class = ${objectClass} and shown = ${shown} and not kept
    and (${objectId ?? null}::bigint is null or object_id = ${objectId ?? null}::bigint)`),
  );
  await deleteObjects(change, rows, reason, profile);
  return rows.length > 0;
}

/** Lines of the registry's object around a network. */
export type NetworkLine = { attribute: 'admin-c' | 'tech-c' | 'mnt-irt' | 'geofeed' | 'remarks'; value: string };

/** The lines that name contacts or the geofeed of a range. @param wanted which of them, by the handle or the geofeed */
export async function networkLinesOf(read: Pick<Read, 'rows'>, range: Range, wanted: (name: string) => boolean): Promise<NetworkLine[]> {
  const object = await networkObject(read, range);
  if (!object) return [];
  const contacts = contactAttributes.flatMap(attribute =>
    valuesOf(object, attribute)
      .filter(wanted)
      .map((value): NetworkLine => ({ attribute, value })),
  );
  const own = valuesOf(object, 'geofeed').map((value): NetworkLine => ({ attribute: 'geofeed', value }));
  const remarks = valuesOf(object, 'remarks')
    .filter(line => geofeedRemark.test(line))
    .map((value): NetworkLine => ({ attribute: 'remarks', value }));
  return [...contacts, ...[...own, ...remarks].filter(({ value }) => wanted(value.replace(geofeedPrefix, '')))];
}

/** Carries lines of a range over to its new holder: its object gets them when it is made, in place of the holder's own. */
export async function carryNetworkLines(change: Change, range: Range, lines: readonly NetworkLine[]): Promise<void> {
  if (range.first === null || lines.length === 0) return;
  await change.rows(sql`insert into carried_line (first, last, attribute, value)
    select ${range.first}::inet, ${range.last}::inet, attribute, value from unnest(${lines.map(({ attribute }) => attribute)}::text[],
      ${lines.map(({ value }) => value)}::text[]) as given (attribute, value)`);
}

/**
 * Removes temporarily carried lines from the registry's object of a range. The last contact is replaced by the registry's; an irt is just removed.
 * Returns whether there were any.
 */
export async function endNetworkLines(change: Change, range: Range, lines: readonly NetworkLine[], profile: Profile): Promise<boolean> {
  await lockWhois(change);
  const { contact } = await registryDefaults(change, profile);
  const [row] = await change.rows(
    storedWhere(sql`class in ('inetnum', 'inet6num') and kept and first = ${range.first}::inet and last = ${range.last}::inet limit 1`),
  );
  if (!row) return false;
  const object = objectOfRow(row);
  const isGone = (name: string, value: string): boolean =>
    lines.some(line => line.attribute === name && line.value.toLowerCase() === value.toLowerCase());
  const left = object.attributes.filter(({ name, value }) => !isGone(name, value));
  if (left.length === object.attributes.length) return false;
  const attributes = object.attributes.flatMap(attribute => {
    if (!isGone(attribute.name, attribute.value)) return [attribute];
    const isNeeded = (attribute.name === 'admin-c' || attribute.name === 'tech-c') && !left.some(({ name }) => name === attribute.name);
    // The next sync names the holder's own.
    return isNeeded ? [withValue(attribute, contact)] : [];
  });
  await storeObjects(
    change,
    [
      {
        operation: 'modify',
        class: row.class,
        key: row.key,
        shown: row.shown,
        object: { ...object, attributes },
        stored: row,
        kept: { for: row.keptFor },
      },
    ],
    profile,
  );
  if (row.keptFor !== null)
    await change.rows(sql`insert into whois_due_account (account_name) values (${row.keptFor}) on conflict do nothing`);
  return true;
}
