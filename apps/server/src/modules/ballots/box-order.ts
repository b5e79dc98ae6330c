import { HOUR_MS, instantBefore } from '@portal/contract/days';
import { sql } from 'kysely';
import { type Database, ownActivity } from '../../platform/database/index.ts';

/** Time after which no backup and no verification reads the box as it was before it was emptied. */
const READ_BEFORE_MS = HOUR_MS;

/** Whether the box has its functions: an installation whose role could not make them says so as it is migrated. */
const hasFunctions = async (db: Database): Promise<boolean> =>
  (await db.read.rows<{ has: boolean }>(sql`select to_regprocedure('ballots.mix_box()') is not null as has`))[0]!.has;

/**
 * Writes the ballots in the box anew, in the order of their receipts, where some were cast since: neither their place nor their transaction says when. Nothing is written in a minute
 * without a ballot. Safe to run again.
 */
export async function mixBox(db: Database): Promise<void> {
  if (!(await hasFunctions(db))) return;
  const [{ mixed } = { mixed: true }] = await db.read.rows<{ mixed: boolean | null }>(sql`select ballots.is_mixed() as mixed`);
  if (mixed !== false) return;
  await db.change(ownActivity('ballots.mixBox', 'Wrote the ballots in the box anew, in the order of their receipts'), async change => {
    const [moved] = await change.rows<{ ballots: number | null }>(sql`select ballots.mix_box() as ballots`);
    await change.note({ ballots: moved?.ballots ?? 0 });
  });
}

/** Exchanges the file of the empty box, once what was in it is published, so that nothing is left on the disk. Safe to run again. */
export async function wipeBox(db: Database, now: Date): Promise<void> {
  if (!(await hasFunctions(db))) return;
  const since = instantBefore(now.getTime(), READ_BEFORE_MS);
  const [row] = await db.read.rows<{ unwiped: boolean | null; recent: boolean }>(sql`select ballots.is_unwiped() as unwiped,
    exists (select from election e where e.ballots_sorted_at > ${since}::timestamptz) as recent`);
  if (!row?.unwiped || row.recent) return;
  await db.change(ownActivity('ballots.wipeBox', 'Exchanged the file of the empty ballot box'), async change => {
    const [done] = await change.rows<{ wiped: boolean | null }>(sql`select ballots.wipe_box() as wiped`);
    await change.note({ wiped: done?.wiped ?? false });
  });
}
