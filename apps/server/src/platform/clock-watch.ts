import { HOUR_MS, MINUTE_MS } from '@portal/contract/days';

/** A larger jump of the clock, in ms, is not an ordinary correction. */
const JUMP_MS = HOUR_MS;
/** How long, in ms, a clock that jumped is not trusted: long enough for time synchronisation to correct it, or for an operator to look. */
const DISTRUST_MS = 15 * MINUTE_MS;

/** A jump of the clock: how far, in ms (negative: back), and when it was noticed, by the new time. */
export type ClockJump = { by: number; at: Date };

/**
 * Watches a clock against the time that passes in this process. After a jump of more than an hour the clock is distrusted for fifteen minutes: a wrong step
 * of the time, or a machine that was resumed with a wrong clock, must not date what the world reads (decision 188).
 * @param elapsed monotonic milliseconds
 */
export function watchClock(clock: () => Date, elapsed: () => number = () => performance.now()) {
  let last = { wall: clock().getTime(), passed: elapsed() };
  let jump: (ClockJump & { passed: number }) | null = null;
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
