import { type AddressRange, parseRange } from '@portal/number-resources';
import { sql } from 'kysely';
import type { Database } from '../../../platform/database/index.ts';

/** What a kept answer depends on: it is asked again when one of these objects, or what lies at these addresses, is changed. */
export type Dependence = {
  /** Addresses that were asked for; null: an AS number was. */
  range: AddressRange | null;
  /** Keys of the objects in it, and of the contacts they name, there or not. */
  keys: ReadonlySet<string>;
};
type Answer = Dependence & { bytes: Buffer; personal: number };
/** `seen`: how many changes it has outlived, of those that were counted since all was last forgotten; `used`: it was asked for again lately. */
type Kept<Extra> = Answer & { extra: Extra; seen: number; used: boolean };
/** A version of an object that was stored: its key, the addresses it is about; `everywhere`: what it changes cannot be told from its key. */
type Changed = { key: string; range: AddressRange | null; everywhere: boolean; asBlock: boolean };

/** Bytes of answers that are kept; beyond that the oldest go that nobody asked for again. */
const MOST_BYTES = 128 * 2 ** 20;
/** Longer answers are made anew each time. */
const LONGEST = 16_384;
/** Changes that are told apart; after more all is forgotten, which costs less than to compare. */
const MOST_CHANGES = 1_000;

/** What a program asks again within the same second is answered from memory. */
export type AnswerCache<Extra> = {
  /** What was answered to this line, if that still holds. */
  find(line: string): { bytes: Buffer; personal: number; extra: Extra } | null;
  /** Before an answer is made: how to keep it when it is there. Null while it cannot be told whether answers are still true. */
  begin(): ((line: string, answer: Answer & { extra: Extra }) => void) | null;
  stop(): Promise<void>;
};

/**
 * Keeps answers in memory as long as they are true. The channel `whois` tells of a commit; from then on nothing is answered from here until
 * the journal has told what was changed, and every answer that depends on that is forgotten when it is asked for. While notifications do not
 * arrive, nothing is kept. What was read before a commit is kept as of before it, so it is compared with that commit too.
 */
export async function keepAnswers<Extra>(db: Database, mostBytes = MOST_BYTES): Promise<AnswerCache<Extra>> {
  const kept = new Map<string, Kept<Extra>>();
  let bytes = 0;
  let changes: Changed[] = [];
  /** Counts how often all was forgotten. */
  let epoch = 0;
  /** The last serial of the journal that is in `changes`; null: it has to be read first. */
  let serial: number | null = null;
  /** Commits that were told and are not yet in `changes`. */
  let behind = true;
  let reading: Promise<void> | null = null;
  let stopped = false;

  const forgetAll = (): void => {
    epoch++;
    bytes = 0;
    changes = [];
    kept.clear();
  };
  const forget = (line: string, answer: Kept<Extra>): void => {
    kept.delete(line);
    bytes -= sizeOf(line, answer);
  };
  /** What was asked for again lately gets another turn. */
  const makeRoom = (): void => {
    const [line, oldest] = kept.entries().next().value!;
    if (!oldest.used) return forget(line, oldest);
    oldest.used = false;
    kept.delete(line);
    kept.set(line, oldest);
  };
  const readChanges = async (): Promise<void> => {
    while (behind && db.listening && !stopped) {
      behind = false;
      try {
        if (serial === null) {
          const [row] = await db.read.rows<{ last: number }>(sql`select coalesce(max(serial), 0) as last from whois_journal`);
          forgetAll();
          serial = row!.last;
        } else {
          const rows = await db.read.rows<{ serial: number; class: string; key: string }>(
            sql`select serial, class, key from whois_journal where serial > ${serial} order by serial limit ${MOST_CHANGES + 1}`,
          );
          if (changes.length + rows.length > MOST_CHANGES) {
            forgetAll();
            serial = null;
            behind = true;
          } else {
            changes.push(...rows.map(changedBy));
            serial = rows.at(-1)?.serial ?? serial;
          }
        }
      } catch {
        // The next commit, or the connection's return, tries again.
        forgetAll();
        serial = null;
        behind = true;
        return;
      }
    }
  };
  const catchUp = (): void => {
    behind = true;
    reading ??= readChanges().finally(() => (reading = null));
  };
  const unwatch = db.onListening(() => {
    forgetAll();
    serial = null;
    catchUp();
  });
  const unlisten = await db.listen('whois', catchUp);
  catchUp();

  const isTrue = (): boolean => db.listening && !behind && reading === null && serial !== null;
  return {
    find: line => {
      const answer = kept.get(line);
      if (answer === undefined || !isTrue()) return null;
      for (; answer.seen < changes.length; answer.seen++) {
        if (!touches(changes[answer.seen]!, answer)) continue;
        forget(line, answer);
        return null;
      }
      answer.used = true;
      return answer;
    },
    begin: () => {
      if (!isTrue()) return null;
      const began = { epoch, seen: changes.length };
      return (line, answer) => {
        if (epoch !== began.epoch || !db.listening || answer.bytes.length > LONGEST) return;
        const before = kept.get(line);
        if (before) forget(line, before);
        const entry = { ...answer, seen: began.seen, used: false };
        kept.set(line, entry);
        bytes += sizeOf(line, entry);
        while (bytes > mostBytes) makeRoom();
      };
    },
    stop: async () => {
      stopped = true;
      unwatch();
      await unlisten();
      await reading;
      forgetAll();
    },
  };
}

/** About: an entry with its keys costs a few hundred bytes beside the answer. */
const sizeOf = (line: string, { bytes, keys }: Answer): number => bytes.length + line.length + 200 + keys.size * 60;

function changedBy({ class: className, key }: { class: string; key: string }): Changed {
  const changed = { key, range: null, everywhere: false, asBlock: className === 'as-block' };
  // Reverse zones and interfaces of routers are in answers too, by addresses that their keys do not say.
  if (className === 'domain' || className === 'inet-rtr') return { ...changed, everywhere: true };
  if (!['inetnum', 'inet6num', 'route', 'route6'].includes(className)) return changed;
  try {
    return { ...changed, range: parseRange(key.replace(/as\d+$/, '')) };
  } catch {
    return { ...changed, everywhere: true };
  }
}

function touches(changed: Changed, { range, keys }: Answer): boolean {
  if (keys.has(changed.key)) return true;
  if (range === null) return changed.asBlock;
  if (changed.everywhere) return true;
  const other = changed.range;
  return other !== null && other.family === range.family && other.first <= range.last && other.last >= range.first;
}
