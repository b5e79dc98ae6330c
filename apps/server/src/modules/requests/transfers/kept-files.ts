import { createHash } from 'node:crypto';
import { MINUTE_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { breathing } from '../../../platform/breathing.ts';
import type { Read } from '../../../platform/database/index.ts';
import type { PublishedBytes } from './file-makers.ts';

/** How long, in ms, a file is kept although nothing changed: what a change that began earlier committed later shows by then. As long as others may keep it. */
const KEPT_MS = 5 * MINUTE_MS;
/** Bytes hashed before others may have their turn: less than a millisecond's. */
const PORTION = 256 * 1024;

/** Makes a file from rows of these tables. */
export type FileMaker = { tables: readonly string[]; make: () => Promise<PublishedBytes> };

type Kept = { madeAt: number; day: string; upTo: string; isMade: boolean; file: Promise<PublishedBytes> };

/**
 * Returns a function that makes a file once for everyone who asks: it is kept until rows of its tables change, the day does, or five minutes have passed. Anyone may ask for the whole
 * ledger, as often as they like. Who asks while it is being made waits for it.
 */
export function keptFiles({ read, clock, dayOf }: { read: Read; clock: () => Date; dayOf: (now: Date) => string }) {
  const kept = new Map<string, Kept>();
  const isCurrent = async (known: Kept, tables: readonly string[]): Promise<boolean> => {
    if (!known.isMade) return true;
    const now = clock();
    const age = now.getTime() - known.madeAt;
    if (age < 0 || age >= KEPT_MS || known.day !== dayOf(now)) return false;
    const [changed] = await read.rows(
      sql`select 1 from row_change where activity_id > ${known.upTo}::bigint and table_name = any(${[...tables]}::text[]) limit 1`,
    );
    return changed === undefined;
  };
  return async (name: string, { tables, make }: FileMaker): Promise<PublishedBytes> => {
    const known = kept.get(name);
    if (known && (await isCurrent(known, tables))) return known.file;
    const [last] = await read.rows<{ upTo: string }>(sql`select coalesce(max(activity_id), 0)::text as up_to from activity`);
    // Another one who asked was first.
    const latest = kept.get(name);
    if (latest && latest !== known) return latest.file;
    const now = clock();
    const fresh: Kept = { madeAt: now.getTime(), day: dayOf(now), upTo: last!.upTo, isMade: false, file: make() };
    kept.set(name, fresh);
    fresh.file.then(
      () => {
        fresh.isMade = true;
      },
      () => kept.delete(name),
    );
    return fresh.file;
  };
}

/** The MD5 of a file, while others have their turn. */
export async function md5Of(bytes: Buffer): Promise<string> {
  const hash = createHash('md5');
  const breathe = breathing();
  for (let at = 0; at < bytes.length; at += PORTION) {
    hash.update(bytes.subarray(at, at + PORTION));
    await breathe();
  }
  return hash.digest('hex');
}
