import { MINUTE_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { aheadOfDatabase, FUTURE_MS, isInFuture, watchClock } from '../../../platform/clock-watch.ts';
import type { Read } from '../../../platform/database/index.ts';
import type { ModuleContext } from '../../../platform/module.ts';

const minutes = (ms: number): number => Math.round(Math.abs(ms) / MINUTE_MS);

/** When the last published file begins; null before the first publication. */
async function latestBeginning(read: Pick<Read, 'rows'>): Promise<string | null> {
  const [row] = await read.rows<{ latest: string | null }>(sql`select max(not_before) as latest from rpki_object`);
  return row!.latest;
}

/** Returns a sentence if the clock of this machine and that of the database differ by more than five minutes, else null. */
export async function otherClock({ db, clock }: Pick<ModuleContext, 'db' | 'clock'>): Promise<string | null> {
  const ahead = await aheadOfDatabase(db, clock);
  if (Math.abs(ahead) <= FUTURE_MS) return null;
  return `The clock of this machine is ${minutes(ahead)} minutes ${ahead > 0 ? 'ahead of' : 'behind'} that of the database. Nothing is published until they agree. Set the wrong one right.`;
}

/**
 * Watches the clock of a publisher (decision 248). The returned function refuses to publish while it differs from the database's, and for fifteen minutes
 * after it jumped. If files begin in the future at the start, either the clock was ahead when they were made, or it is behind now: they are made anew, with a
 * database on this machine, which has the same clock, only after fifteen minutes.
 */
export async function watchPublisherClock({ db, clock, log }: Pick<ModuleContext, 'db' | 'clock' | 'log'>): Promise<() => Promise<void>> {
  const latest = await latestBeginning(db.read);
  const isDoubtful = latest !== null && isInFuture(latest, clock());
  if (isDoubtful)
    log.error('files of the RPKI repository begin in the future: a clock was wrong when they were made, or is now', { latest });
  const watch = watchClock(clock, undefined, isDoubtful && db.kind === 'embedded' ? clock().getTime() - Date.parse(latest) : null);
  return async () => {
    const jump = watch.look();
    const other = await otherClock({ db, clock });
    if (other !== null) throw new Error(other);
    if (jump)
      throw new Error(
        `The clock of this machine jumped by ${Math.round(jump.by / MINUTE_MS)} minutes at ${jump.at.toISOString()}, or was wrong before. Nothing is published for fifteen minutes. Set it right.`,
      );
  };
}
