import { HOUR_MS, instantAfter, instantBefore, MINUTE_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import type { Database } from './database/index.ts';

/** How far, in ms, an instant may be in the future, and two clocks may differ: what is later was written with a clock that was wrong (decision 248). */
export const FUTURE_MS = 5 * MINUTE_MS;
/** Returns the instant from which on others are of a wrong clock, as ISO text in UTC. */
export const futureFrom = (now: Date): string => instantAfter(now, FUTURE_MS);
/** Whether an instant was written with a clock that was wrong. */
export const isInFuture = (at: Date | string, now: Date): boolean => new Date(at).getTime() > now.getTime() + FUTURE_MS;

/**
 * Returns the span of the last so many ms, to be counted in as `at between since and until`. What is dated after it was written with a clock that was wrong, and
 * counts for nothing: a limit would hold until that day.
 */
export const theLast = (ms: number, now: Date | string): { since: string; until: string } => ({
  since: instantBefore(now, ms),
  until: futureFrom(new Date(now)),
});

/** Returns how far, in ms, the clock is ahead of that of the database (negative: behind), at least. */
export async function aheadOfDatabase({ read }: Pick<Database, 'read'>, clock: () => Date): Promise<number> {
  const before = clock().getTime();
  const [row] = await read.rows<{ at: string }>(sql`select clock_timestamp() as at`);
  const after = clock().getTime();
  const at = Date.parse(row!.at);
  return at < before ? before - at : Math.min(after - at, 0);
}

/** Whether the clock is that of the database, within five minutes: what is kept for good must not be dated, or deleted, by a wrong one. */
export const clocksAgree = async (db: Pick<Database, 'read'>, clock: () => Date): Promise<boolean> =>
  Math.abs(await aheadOfDatabase(db, clock)) <= FUTURE_MS;

/** A larger jump of the clock, in ms, is not an ordinary correction. */
const JUMP_MS = HOUR_MS;
/** How long, in ms, a clock that jumped is not trusted: long enough for time synchronisation to correct it, or for an operator to look. */
const DISTRUST_MS = 15 * MINUTE_MS;

/** A jump of the clock: how far, in ms (negative: back), and when it was noticed, by the new time. */
export type ClockJump = { by: number; at: Date };

/**
 * Watches a clock against the time that passes in this process. After a jump of more than an hour the clock is distrusted for fifteen minutes: a wrong step
 * of the time, or a machine that was resumed with a wrong clock, must not date what the world reads (decision 188).
 * @param elapsed monotonic milliseconds @param doubt how far, in ms, it seems to have jumped before the watch began: it is distrusted from the start
 */
export function watchClock(clock: () => Date, elapsed: () => number = () => performance.now(), doubt: number | null = null) {
  let last = { wall: clock().getTime(), passed: elapsed() };
  let jump: (ClockJump & { passed: number }) | null = doubt === null ? null : { by: doubt, at: new Date(last.wall), passed: last.passed };
  return {
    /** Checks the clock; returns its jump while it is distrusted, else null. Call it at least once a minute. */
    look: (): ClockJump | null => {
      const [wall, passed] = [clock().getTime(), elapsed()];
      const by = wall - last.wall - (passed - last.passed);
      last = { wall, passed };
      if (Math.abs(by) > JUMP_MS) {
        // Set back to where it was: that was the correction.
        const isUndone = jump !== null && Math.abs(jump.by + by) < JUMP_MS;
        jump = isUndone ? null : { by, at: new Date(wall), passed };
      }
      if (jump && passed - jump.passed > DISTRUST_MS) jump = null;
      return jump && { by: jump.by, at: jump.at };
    },
  };
}
