import { sql } from 'kysely';
import { DAY_MS, instantAfter, instantBefore, MINUTE_MS } from '@portal/contract/days';
import type { ClassName } from '@portal/rpsl';
import { type Database, ownActivity } from '../../platform/database/index.ts';
import { eachAlone } from '../../platform/each-alone.ts';
import type { ConfiguredSource, Way } from './configured.ts';
import type { KeptObject } from './kept-object.ts';

/** How far a copy goes, and what the next turn needs: of NRTM 4 also the session, the keys and the hashes of the files named last. */
export type Position = {
  serial: number;
  asOf: string | null;
  session: string | null;
  firstKey: string | null;
  signingKey: string | null;
  nextKey: string | null;
  files: Record<string, string>;
};

/** The state of a source that is followed. */
export type SourceState = Position & {
  name: string;
  way: Way['kind'];
  copyId: number | null;
  objects: number;
  leftOut: number;
  loadedAt: string | null;
  loadDue: boolean;
  succeededAt: string | null;
  nextAt: string | null;
  failures: number;
  problem: string | null;
};

/** Objects, and characters of them, that one statement writes. */
const AT_ONCE = 500;
const CHARACTERS_AT_ONCE = 2_000_000;
/** Rows that one statement deletes. */
const DELETED_AT_ONCE = 5_000;
/** How long, in ms, a copy is kept that isn’t shown any more, for answers that began before; and one that was begun and never shown. */
const LEFT_MS = 10 * MINUTE_MS;
const UNFINISHED_MS = DAY_MS;

type Unrecorded = Pick<Database, 'unrecorded'>;
type Writer = Database['unrecorded'];

/** Returns what is known of the sources, in the order of their names. */
export const sourceStates = (read: Pick<Database['read'], 'rows'>): Promise<SourceState[]> =>
  read.rows<SourceState>(sql`select name, way, copy_id::float8 as copy_id, objects, left_out, serial::float8 as serial, session, first_key, signing_key, next_key, files, loaded_at, as_of, load_due,
    succeeded_at, next_at, failures, problem from foreign_source order by name`);

/** Notes a source that is followed now, or in another way than before: then it is loaded anew. */
export async function noteSource({ unrecorded }: Unrecorded, { name, way }: ConfiguredSource): Promise<void> {
  const firstKey = way.kind === 'nrtm4' ? way.key : null;
  await sql`insert into foreign_source (name, way, first_key) values (${name}, ${way.kind}, ${firstKey})
    on conflict (name) do update set way = excluded.way, first_key = excluded.first_key, load_due = true, session = null, signing_key = null, next_key = null, files = '{}', next_at = null
    where foreign_source.way <> excluded.way or foreign_source.first_key is distinct from excluded.first_key`.execute(unrecorded);
}

/** Begins a copy beside the one that is shown. */
export async function beginCopy({ unrecorded }: Unrecorded, source: string, now: Date): Promise<number> {
  const { rows } = await sql<{ copyId: number }>`insert into foreign_copy (source, begun_at) values (${source}, ${now.toISOString()})
    returning copy_id::float8 as copy_id`.execute(unrecorded);
  return rows[0]!.copyId;
}

/** Writes objects into a copy that isn’t shown yet. Returns how many are new. */
export const addToCopy = ({ unrecorded }: Unrecorded, copyId: number, objects: readonly KeptObject[]): Promise<number> =>
  writeObjects(unrecorded, copyId, objects);

/** Writes objects into a copy; of one that is there already the later text counts. Returns how many are new. */
async function writeObjects(writer: Writer, copyId: number, objects: readonly KeptObject[]): Promise<number> {
  let added = 0;
  for (let at = 0; at < objects.length; ) {
    const batch = new Map<string, KeptObject>();
    let characters = 0;
    for (; at < objects.length && batch.size < AT_ONCE && characters < CHARACTERS_AT_ONCE; at++) {
      const object = objects[at]!;
      characters += object.text.length;
      batch.set(`${object.class} ${object.key}`, object);
    }
    const { rows } = await sql<{ added: number }>`with written as (
      insert into foreign_object (copy_id, class, key, shown, text, prefix, origin, members, inverse)
      select ${copyId}::bigint, class, key, shown, text, prefix, origin, members, inverse
      from jsonb_to_recordset(${JSON.stringify([...batch.values()])}::jsonb)
        as given(class text, key text, shown text, text text, prefix cidr, origin bigint, members text[], inverse text[])
      on conflict (copy_id, class, key) do update set shown = excluded.shown, text = excluded.text, prefix = excluded.prefix, origin = excluded.origin, members = excluded.members, inverse = excluded.inverse
      returning xmax = 0 as is_new)
      select count(*) filter (where is_new)::int as added from written`.execute(writer);
    added += rows[0]!.added;
  }
  return added;
}

/** One object of a source as a change leaves it: its text, or null where it is deleted. */
export type ForeignChange = { class: ClassName; key: string; object: KeptObject | null };

/**
 * Applies changes in their order to the copy that is shown, and moves its position, all or nothing. Returns false, with nothing done, where another process moved it meanwhile.
 */
export function applyChanges(
  { unrecorded }: Unrecorded,
  state: Pick<SourceState, 'name' | 'copyId' | 'serial'>,
  changes: readonly ForeignChange[],
  position: Position,
): Promise<boolean> {
  return unrecorded.transaction().execute(async change => {
    const { rows } = await sql<{ copyId: number }>`select copy_id::float8 as copy_id from foreign_source
      where name = ${state.name} and copy_id = ${state.copyId} and serial = ${state.serial} and not load_due for update`.execute(change);
    const [row] = rows;
    if (!row) return false;
    // What is left of several changes of one object is the last.
    const last = new Map(changes.map(each => [`${each.class} ${each.key}`, each]));
    const deleted = [...last.values()].filter(({ object }) => object === null);
    const objects = [...last.values()].flatMap(({ object }) => object ?? []);
    let fewer = 0;
    for (let at = 0; at < deleted.length; at += AT_ONCE) {
      const batch = deleted.slice(at, at + AT_ONCE).map(each => ({ class: each.class, key: each.key }));
      const gone = await sql<{ count: number }>`with gone as (delete from foreign_object o
        using jsonb_to_recordset(${JSON.stringify(batch)}::jsonb) as d(class text, key text)
        where o.copy_id = ${row.copyId} and o.class = d.class and o.key = d.key returning 1) select count(*)::int as count from gone`.execute(
        change,
      );
      fewer += gone.rows[0]!.count;
    }
    const more = await writeObjects(change, row.copyId, objects);
    await sql`update foreign_source set objects = objects + ${more - fewer}::int, serial = ${position.serial}, as_of = ${position.asOf}, session = ${position.session},
      signing_key = ${position.signingKey}, next_key = ${position.nextKey}, files = ${JSON.stringify(position.files)}::jsonb where name = ${state.name}`.execute(
      change,
    );
    return true;
  });
}

/** Shows a copy that is complete, instead of the one before: readers see the old or the new one whole. */
export async function showCopy(
  db: Database,
  { name, way, copyId: before }: Pick<SourceState, 'name' | 'way' | 'copyId'>,
  { copyId, objects, leftOut }: { copyId: number; objects: number; leftOut: number },
  position: Position,
  now: Date,
): Promise<void> {
  await db.change(ownActivity('whois.loadForeignCopy', 'Loaded a copy of another registry’s objects'), async change => {
    const { rows } =
      await sql`update foreign_source set copy_id = ${copyId}, objects = ${objects}, left_out = ${leftOut}, serial = ${position.serial}, as_of = ${position.asOf},
      session = ${position.session}, signing_key = ${position.signingKey}, next_key = ${position.nextKey}, files = ${JSON.stringify(position.files)}::jsonb,
      loaded_at = ${now.toISOString()}, load_due = false, next_at = null
      where name = ${name} and way = ${way} and copy_id is not distinct from ${before} returning name`.execute(change);
    if (rows.length === 0) throw new Error(`The source ${name} was loaded by another process meanwhile.`);
    await sql`update foreign_copy set left_at = ${now.toISOString()} where copy_id = ${before}`.execute(change);
    await change.note({ source: name, objects, serial: position.serial });
  });
}

/** Takes away, in pieces, what no one reads any more: copies that were left, and those that were never finished. */
export async function sweepCopies({ unrecorded }: Unrecorded, now: Date): Promise<void> {
  const { rows } = await sql<{ copyId: number }>`select copy_id::float8 as copy_id from foreign_copy c
    where (left_at < ${instantBefore(now, LEFT_MS)} or left_at is null and begun_at < ${instantBefore(now, UNFINISHED_MS)})
      and not exists (select from foreign_source s where s.copy_id = c.copy_id)`.execute(unrecorded);
  for (const { copyId } of rows) await dropCopy({ unrecorded }, copyId);
}

/** Deletes a copy that isn’t shown. */
export async function dropCopy({ unrecorded }: Unrecorded, copyId: number): Promise<void> {
  for (;;) {
    const gone = await sql<{ count: number }>`with gone as (delete from foreign_object
      where object_id in (select object_id from foreign_object where copy_id = ${copyId} limit ${DELETED_AT_ONCE}) returning 1)
      select count(*)::int as count from gone`.execute(unrecorded);
    if (gone.rows[0]!.count < DELETED_AT_ONCE) break;
  }
  await sql`delete from foreign_copy where copy_id = ${copyId}`.execute(unrecorded);
}

/** Forgets sources that the operator no longer names: from now on nothing of them is shown. */
export const forgetSources = (db: Database, names: readonly string[], now: Date): Promise<void> =>
  eachAlone(
    names,
    name => name,
    name =>
      db.change(ownActivity('whois.forgetForeignSource', 'Stopped mirroring another registry’s objects'), async change => {
        await sql`update foreign_copy set left_at = ${now.toISOString()} where left_at is null and source = ${name}`.execute(change);
        await sql`delete from foreign_source where name = ${name}`.execute(change);
        await change.note({ source: name });
      }),
  );

/** Notes how a turn ended. */
export async function noteSuccess(
  { unrecorded }: Unrecorded,
  name: string,
  { now, nextAt }: { now: Date; nextAt: string | null },
): Promise<void> {
  await sql`update foreign_source set succeeded_at = ${now.toISOString()}, next_at = ${nextAt}, failures = 0, problem = null
    where name = ${name}`.execute(unrecorded);
}

/** How long, in minutes, it takes until a source that fails is asked again, at most. */
const LONGEST_PAUSE = 360;

/** Notes why a turn failed. The copy stays as it is, and the source is asked again after a pause that grows. */
export async function noteProblem(
  { unrecorded }: Unrecorded,
  { name, failures }: Pick<SourceState, 'name' | 'failures'>,
  problem: string,
  now: Date,
): Promise<void> {
  const minutes = Math.min(LONGEST_PAUSE, 2 ** Math.min(failures, 10));
  const nextAt = instantAfter(now, minutes * MINUTE_MS);
  await sql`update foreign_source set failures = failures + 1, problem = ${problem.slice(0, 500)}, next_at = ${nextAt} where name = ${name}`.execute(
    unrecorded,
  );
}

/** Notes that a source is to be loaded anew: changes between are missing. */
export async function noteLoadDue({ unrecorded }: Unrecorded, name: string): Promise<void> {
  await sql`update foreign_source set load_due = true, next_at = null where name = ${name}`.execute(unrecorded);
}
