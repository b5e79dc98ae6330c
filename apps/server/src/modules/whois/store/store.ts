import { attributeOf, printObject, type RpslAttribute, type RpslObject } from '@portal/rpsl';
import { sql } from 'kysely';
import { breathing } from '../../../platform/breathing.ts';
import type { Change } from '../../../platform/database/index.ts';
import { WideSet } from '../../../platform/wide-set.ts';
import type { Profile } from '../../../profile.ts';
import { handleClasses, inHandleSpace, onceClasses } from './handle-space.ts';
import { rememberHandles } from './handles.ts';
import { columnsOfObject, eachReference, keysOf, maintainersIn, objectOfRow } from './object-facts.ts';
import type { StoredObject } from './update.ts';

/** One checked object to write. */
export type Write = {
  operation: 'create' | 'modify' | 'delete';
  class: string;
  key: string;
  shown: string;
  /** The new version; for a deletion, the present one. */
  object: RpslObject;
  stored: StoredObject | null;
  reason?: string;
  /** Written by the registry from its ledger. */
  kept?: { for: string | null };
  /** Its creation time (ISO) if not now: that of a delegation. */
  createdAt?: string;
  /** Whether it was written elsewhere and keeps the time of its last change, if any. */
  loaded?: boolean;
};

const AT_ONCE = 2_000;

/**
 * Last step: writes objects, their index rows and their versions. Returns each object's version and text. The caller holds the lock (`lock.ts`), and
 * keys are unique.
 */
export async function storeObjects(
  change: Change,
  writes: readonly Write[],
  profile: Profile,
): Promise<{ version: number; text: string }[]> {
  const answers: { version: number; text: string }[] = [];
  for (let at = 0; at < writes.length; at += AT_ONCE) answers.push(...(await storeSome(change, writes.slice(at, at + AT_ONCE), profile)));
  return answers;
}

type Row = Write & { text: string; version: number };

async function storeSome(change: Change, writes: readonly Write[], profile: Profile): Promise<{ version: number; text: string }[]> {
  const [journal] = await change.rows<{ serial: number }>(sql`select coalesce(max(serial), 0) as serial from whois_journal`);
  const created = writes.filter(({ operation }) => operation === 'create');
  const last = new Map<string, number>();
  if (created.length > 0) {
    const found = await change.rows<{ class: string; key: string; version: number }>(sql`select w.class, w.key, j.version
      from unnest(${created.map(w => w.class)}::text[], ${created.map(w => w.key)}::text[]) as w (class, key)
      cross join lateral (select version from whois_journal where class = w.class and key = w.key order by version desc limit 1) j`);
    for (const row of found) last.set(`${row.class} ${row.key}`, row.version);
  }
  const rows: Row[] = [];
  const breathe = breathing();
  for (const write of writes) {
    rows.push({
      ...write,
      version: (write.stored?.version ?? last.get(`${write.class} ${write.key}`) ?? 0) + 1,
      text: write.operation === 'delete' ? write.stored!.text : textToStore(write.object, write.loaded ? null : change.now),
    });
    await breathe();
  }
  // Deletions first: what is made may take the name of what goes.
  await remove(
    change,
    rows.filter(({ operation }) => operation === 'delete'),
  );
  await insert(
    change,
    rows.filter(({ operation }) => operation === 'create'),
    profile,
  );
  await update(
    change,
    rows.filter(({ operation }) => operation === 'modify'),
    profile,
  );
  const serial = Number(journal!.serial);
  await change.rows(sql`insert into whois_journal (serial, operation, class, key, shown, version, text, activity_id, reason, happened_at)
    select ${serial}::bigint + place, operation, class, key, shown, version, text, ${change.activityId}::bigint, reason, ${change.now}::timestamptz
    from unnest(${rows.map(r => (r.operation === 'delete' ? 'DEL' : 'ADD'))}::text[], ${rows.map(r => r.class)}::text[], ${rows.map(r => r.key)}::text[],
      ${rows.map(r => r.shown)}::text[], ${rows.map(r => r.version)}::int[], ${rows.map(r => r.text)}::text[], ${rows.map(r => r.reason ?? '')}::text[])
      with ordinality as w (operation, class, key, shown, version, text, reason, place)`);
  await rememberHandles(
    change,
    created.filter(({ class: objectClass }) => onceClasses.includes(objectClass)).map(({ key }) => key),
  );
  return rows.map(({ version, text }) => ({ version, text }));
}

/** The stored text: as written, except for line ends, surrounding lines and the time of the change. */
export function textToStore(object: RpslObject, now: string | null): string {
  const attributes = [...object.attributes];
  if (now !== null) putStamp(attributes, now);
  const text = printObject({ class: object.class, attributes }).replaceAll('\r\n', '\n').trimEnd();
  return `${text}\n`;
}

function putStamp(attributes: RpslAttribute[], now: string): void {
  const stamp = attributeOf('last-modified', `${now.slice(0, 19)}Z`);
  const place = attributes.findIndex(({ name }) => name === 'last-modified');
  for (let at = attributes.length - 1; at > place; at--) if (attributes[at]!.name === 'last-modified') attributes.splice(at, 1);
  const source = attributes.findIndex(({ name }) => name === 'source');
  if (place >= 0) attributes[place] = stamp;
  else attributes.splice(source < 0 ? attributes.length : source, 0, stamp);
}

const registryMaintained = (row: Row, profile: Profile): boolean =>
  maintainersIn(row.object, 'mnt-by').includes(profile.hostmasterMaintainer.toLowerCase());

async function insert(change: Change, rows: readonly Row[], profile: Profile): Promise<void> {
  if (rows.length === 0) return;
  const facts = rows.map(row => columnsOfObject(row.object));
  const ids = await change.rows<{ objectId: number; class: string; key: string }>(sql`
    insert into whois_object (class, key, shown, text, version, first, last, prefix_length, first_as, last_as, origin, registry_maintained, kept_for, kept,
      created_at, changed_at)
    select class, key, shown, text, version, first, last, prefix_length, first_as, last_as, origin, registry_maintained, kept_for, kept,
      coalesce(created_at, ${change.now}::timestamptz), ${change.now}::timestamptz
    from unnest(${rows.map(r => r.class)}::text[], ${rows.map(r => r.key)}::text[], ${rows.map(r => r.shown)}::text[], ${rows.map(r => r.text)}::text[],
      ${rows.map(r => r.version)}::int[], ${facts.map(f => f.first)}::inet[], ${facts.map(f => f.last)}::inet[], ${facts.map(f => f.prefixLength)}::smallint[],
      ${facts.map(f => f.firstAs)}::bigint[], ${facts.map(f => f.lastAs)}::bigint[], ${facts.map(f => f.origin)}::bigint[],
      ${rows.map(r => registryMaintained(r, profile))}::boolean[], ${rows.map(r => r.kept?.for ?? null)}::text[], ${rows.map(r => r.kept !== undefined)}::boolean[],
      ${rows.map(r => r.createdAt ?? null)}::timestamptz[])
      as w (class, key, shown, text, version, first, last, prefix_length, first_as, last_as, origin, registry_maintained, kept_for, kept, created_at)
    returning object_id, class, key`);
  const idOf = new Map(ids.map(row => [`${row.class} ${row.key}`, row.objectId]));
  const keys: { objectId: number; key: string }[] = [];
  const references: Reference[] = [];
  const breathe = breathing();
  for (const { class: objectClass, key: name, object } of rows) {
    const objectId = idOf.get(`${objectClass} ${name}`)!;
    for (const key of keysOf(object, name)) keys.push({ objectId, key });
    await breathe();
    for (const { attribute, value } of eachReference(object)) {
      references.push({ objectId, attribute, value });
      await breatheSometimes(breathe, references.length);
    }
  }
  await addKeys(change, keys);
  await addReferences(change, references);
}

async function update(change: Change, rows: readonly Row[], profile: Profile): Promise<void> {
  if (rows.length === 0) return;
  // The key stays, and with it all columns for its numbers; `kept_for` may change.
  await change.rows(sql`update whois_object o set text = w.text, shown = w.shown, version = w.version, registry_maintained = w.registry_maintained,
      kept = case when w.keeps then true else o.kept end, kept_for = case when w.keeps then w.kept_for else o.kept_for end, changed_at = ${change.now}::timestamptz
    from unnest(${rows.map(r => r.stored!.objectId)}::bigint[], ${rows.map(r => r.text)}::text[], ${rows.map(r => r.shown)}::text[], ${rows.map(r => r.version)}::int[],
      ${rows.map(r => registryMaintained(r, profile))}::boolean[], ${rows.map(r => r.kept !== undefined)}::boolean[], ${rows.map(r => r.kept?.for ?? null)}::text[])
      as w (object_id, text, shown, version, registry_maintained, keeps, kept_for) where o.object_id = w.object_id`);
  const keys = { gone: [] as { objectId: number; key: string }[], fresh: [] as { objectId: number; key: string }[] };
  const references = { gone: [] as Reference[], fresh: [] as Reference[] };
  const breathe = breathing();
  for (const { stored, object, key } of rows) {
    const { objectId } = stored!;
    const old = objectOfRow(stored!);
    await breathe();
    const [keysBefore, keysAfter] = [new Set(keysOf(old, key)), new Set(keysOf(object, key))];
    for (const each of keysBefore) if (!keysAfter.has(each)) keys.gone.push({ objectId, key: each });
    for (const each of keysAfter) if (!keysBefore.has(each)) keys.fresh.push({ objectId, key: each });
    await breathe();
    const [before, after] = [await namesOf(old, breathe), await namesOf(object, breathe)];
    await collectMissing(references.gone, { objectId, of: before, from: after, breathe });
    await collectMissing(references.fresh, { objectId, of: after, from: before, breathe });
  }
  for (const part of partsOf(keys.gone))
    await change.rows(sql`delete from whois_key k using unnest(${part.map(k => k.objectId)}::bigint[], ${part.map(k => k.key)}::text[]) as w (object_id, key)
      where k.object_id = w.object_id and k.key = w.key`);
  for (const part of partsOf(references.gone))
    await change.rows(sql`delete from whois_reference r using unnest(${part.map(r => r.objectId)}::bigint[], ${part.map(r => r.attribute)}::text[],
      ${part.map(r => r.value)}::text[]) as w (object_id, attribute, value)
      where r.object_id = w.object_id and r.attribute = w.attribute and r.value = w.value`);
  await addKeys(change, keys.fresh);
  await addReferences(change, references.fresh);
}

async function remove(change: Change, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map(({ stored }) => stored!.objectId);
  await change.rows(sql`delete from whois_key where object_id = any(${ids}::bigint[])`);
  await change.rows(sql`delete from whois_reference where object_id = any(${ids}::bigint[])`);
  await change.rows(sql`delete from whois_object where object_id = any(${ids}::bigint[])`);
  // Of two that shared a handle, the remaining one now has it alone.
  const handles = rows.filter(row => handleClasses.includes(row.class)).map(({ key }) => key);
  if (handles.length > 0)
    await change.rows(sql`update whois_object o set handle_shared = false where handle_shared and key = any(${handles}::text[]) and object_id =
      (select min(object_id) from whois_object each where each.key = o.key and ${inHandleSpace(sql`each.class`)})`);
  // Deleting it frees the name: a later maintainer of that name must inherit nothing.
  const maintainers = rows.filter(row => row.class === 'mntner').map(({ key }) => key);
  if (maintainers.length > 0) await change.rows(sql`delete from maintainer_link where maintainer = any(${maintainers}::text[])`);
  if (maintainers.length > 0) await change.rows(sql`delete from maintainer_code where maintainer = any(${maintainers}::text[])`);
}

/** Keys and references of one statement: what makes more of them ready takes others' turn. */
const ROWS_AT_ONCE = 1_000;
function* partsOf<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) yield rows.slice(at, at + ROWS_AT_ONCE);
}

async function addKeys(change: Change, keys: readonly { objectId: number; key: string }[]): Promise<void> {
  for (const part of partsOf(keys))
    await change.rows(sql`insert into whois_key (object_id, key) select * from unnest(${part.map(k => k.objectId)}::bigint[], ${part.map(k => k.key)}::text[])
      on conflict do nothing`);
}

type Reference = { objectId: number; attribute: string; value: string };
async function addReferences(change: Change, references: readonly Reference[]): Promise<void> {
  for (const part of partsOf(references))
    await change.rows(sql`insert into whois_reference (object_id, attribute, value)
      select * from unnest(${part.map(r => r.objectId)}::bigint[], ${part.map(r => r.attribute)}::text[], ${part.map(r => r.value)}::text[])
      on conflict do nothing`);
}

type Breathe = ReturnType<typeof breathing>;
/** Asking each time would take longer than the work in between. */
const breatheSometimes = (breathe: Breathe, done: number): Promise<void> | undefined => (done % 256 === 0 ? breathe() : undefined);

/** Values that an object refers to, by attribute. */
type Names = Map<string, WideSet>;
async function namesOf(object: RpslObject, breathe: Breathe): Promise<Names> {
  const names: Names = new Map();
  let done = 0;
  for (const { attribute, value } of eachReference(object)) {
    let values = names.get(attribute);
    if (!values) names.set(attribute, (values = new WideSet()));
    values.add(value);
    await breatheSometimes(breathe, ++done);
  }
  return names;
}

/** Adds the values of the one object that the other has not. */
async function collectMissing(
  found: Reference[],
  { objectId, of, from, breathe }: { objectId: number; of: Names; from: Names; breathe: Breathe },
): Promise<void> {
  let done = 0;
  for (const [attribute, values] of of)
    for (const value of values) {
      if (!from.get(attribute)?.has(value)) found.push({ objectId, attribute, value });
      await breatheSometimes(breathe, ++done);
    }
}
