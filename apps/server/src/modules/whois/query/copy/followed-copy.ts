import type { ClassName } from '@portal/rpsl';
import { sql } from 'kysely';
import { breathing } from '../../../../platform/breathing.ts';
import { type Database, preparedQuery } from '../../../../platform/database/index.ts';
import type { Log } from '../../../../platform/log.ts';
import { READ_BYTES } from '../read-bytes.ts';
import type { Shown } from '../shown-object.ts';
import { copiedClasses, ObjectCopy } from './object-copy.ts';

/** A copy that follows the database. */
export type FollowedCopy = {
  /** Number of objects, bytes of memory, and the last journal serial applied; null until it is complete, or without a copy. */
  state(): { objects: number; bytes: number; serial: number } | null;
  stop(): Promise<void>;
};

/** Rows per read; queries are answered between two reads. */
const ROWS = 1_000;
const RETRY_MS = 5_000;

const copies = new WeakMap<Database, () => ObjectCopy | null>();

/** The copy of this database if this process keeps one and it is known to be current; otherwise null, and the database is asked. */
export const copyOf = (db: Database): ObjectCopy | null => copies.get(db)?.() ?? null;

/** The next objects: those that have `READ_BYTES` together, at least one. */
const OBJECTS = preparedQuery<Shown>(`
select object_id, class, key, shown, text from (
  select object_id, class, key, shown, text, sum(octet_length(text)) over (order by object_id) - octet_length(text) as before
  from (select object_id, class, key, shown, text from whois_object where object_id > $1::bigint and class = any((select $2::text[])::text[])
    order by object_id limit ${ROWS}) next) next
where before < ${READ_BYTES} order by object_id`);
/** A line of the journal, with the object as it is: nulls where it is gone. */
type Line = { serial: number; class: ClassName; key: string; objectId: number | null; shown: string | null; text: string | null };
const CHANGED = preparedQuery<Line>(`
select serial, class, key, object_id, shown, text from (
  select j.serial, j.class, j.key, o.object_id, o.shown, o.text,
    sum(coalesce(octet_length(o.text), 0)) over (order by j.serial) - coalesce(octet_length(o.text), 0) as before
  from (select serial, class, key from whois_journal where serial > $1::bigint order by serial limit ${ROWS}) j
  left join whois_object o on o.class = j.class and o.key = j.key) j
where before < ${READ_BYTES} order by serial`);

/** Reads all objects into a copy. Returns whether it was read to the end. @param goesOn asked after each read */
async function readAll(db: Database, copy: ObjectCopy, goesOn: () => boolean): Promise<boolean> {
  const breathe = breathing();
  let last = 0;
  for (let rows: Shown[] | null = null; rows === null || rows.length > 0; ) {
    rows = await db.read.rows(OBJECTS(last, copiedClasses));
    for (const object of rows) {
      copy.put(object);
      await breathe();
    }
    last = rows.at(-1)?.objectId ?? last;
    if (!goesOn()) return false;
  }
  return true;
}

/**
 * Copies the data of queries by addresses, AS numbers and handles into memory, and follows the journal (docs/decisions/0023-whois-copy-in-memory.md). The
 * channel `whois` announces a commit; from then on, and while notifications are interrupted, the database is asked instead, until the journal has been
 * applied. A registry whose copy would exceed `maxBytes` has none.
 */
export async function openFollowedCopy(db: Database, { maxBytes, log }: { maxBytes: number; log: Log }): Promise<FollowedCopy> {
  if (maxBytes === 0) return { state: () => null, stop: () => Promise.resolve() };
  /** Null: it has yet to be made. */
  let made: { copy: ObjectCopy; serial: number } | null = null;
  /** True while an announced commit is not yet applied. */
  let behind = true;
  let following: Promise<void> | null = null;
  let retry: NodeJS.Timeout | undefined;
  let stopped = false;

  /** Returns whether there is room; if not, there is no copy from now on. */
  const isRoom = (copy: ObjectCopy): boolean => {
    if (copy.bytes <= maxBytes) return true;
    log.warn('whois objects are not kept in memory: they take more than WHOIS_MEMORY_MEGABYTES allows, every query asks the database', {
      objects: copy.size,
      megabytes: Math.round(maxBytes / 2 ** 20),
    });
    stopped = true;
    return false;
  };
  const make = async (): Promise<void> => {
    const started = performance.now();
    const [row] = await db.read.rows<{ serial: number }>(sql`select coalesce(max(serial), 0) as serial from whois_journal`);
    const copy = new ObjectCopy();
    if (!(await readAll(db, copy, () => !stopped && isRoom(copy)))) return;
    made = { copy, serial: row!.serial };
    // Changes during the copy.
    behind = true;
    log.info('whois objects are kept in memory', {
      objects: copy.size,
      megabytes: Math.round(copy.bytes / 2 ** 20),
      milliseconds: Math.round(performance.now() - started),
    });
  };
  /** Applies the changes in the journal, with the objects' present state. */
  const takeOver = async (to: { copy: ObjectCopy; serial: number }): Promise<void> => {
    for (let rows: Line[] | null = null; rows === null || rows.length > 0; ) {
      rows = await db.read.rows(CHANGED(to.serial));
      // Serials have no gaps. A journal that does not continue is another one: the database was restored.
      if (rows[0] && rows[0].serial !== to.serial + 1) {
        made = null;
        behind = true;
        return;
      }
      for (const { objectId, shown, text, ...line } of rows) {
        if (objectId === null || shown === null || text === null) to.copy.remove(line.class, line.key);
        else to.copy.put({ ...line, objectId, shown, text });
      }
      to.serial = rows.at(-1)?.serial ?? to.serial;
    }
    if (!isRoom(to.copy)) made = null;
  };
  const follow = async (): Promise<void> => {
    while (behind && db.listening && !stopped) {
      behind = false;
      try {
        if (made === null) await make();
        else await takeOver(made);
      } catch (error) {
        made = null;
        behind = true;
        if (stopped) return;
        log.warn('reading whois objects into memory failed; it is tried again', { error });
        retry = setTimeout(catchUp, RETRY_MS);
        retry.unref();
        return;
      }
    }
  };
  const catchUp = (): void => {
    behind = true;
    following ??= follow().finally(() => {
      following = null;
    });
  };
  const unwatch = db.onListening(catchUp);
  const unlisten = await db.listen('whois', catchUp);
  const isTrue = (): boolean => made !== null && db.listening && !behind && following === null && !stopped;
  copies.set(db, () => (isTrue() ? made!.copy : null));
  catchUp();
  return {
    state: () => (isTrue() ? { objects: made!.copy.size, bytes: made!.copy.bytes, serial: made!.serial } : null),
    stop: async () => {
      stopped = true;
      clearTimeout(retry);
      copies.delete(db);
      unwatch();
      await unlisten();
      await following;
      made = null;
    },
  };
}
