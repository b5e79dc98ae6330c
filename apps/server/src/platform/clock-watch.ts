import { HOUR_MS, MINUTE_MS } from '@portal/contract/days';

/** A jump of the clock beyond this, in ms, is no correction of seconds. */
const JUMP_MS = HOUR_MS;
/** For how long, in ms, nothing is dated by a clock that jumped: long enough that what sets clocks sets it right, or that an operator looks. */
const DISTRUST_MS = 15 * MINUTE_MS;

/** A jump of the clock: how far, in ms (negative: back), and when it was noticed by the clock as it is now. */
export type ClockJump = { by: number; at: Date };

/**
 * Watches a clock against the time that passes in this process. After a jump of more than an hour the clock is distrusted for fifteen minutes: a wrong step
 * of the time, or a machine that was resumed with a wrong clock, must not date what the world reads (decision 188).
 * @param elapsed milliseconds that pass whatever the clock says
 */
export function watchClock(clock: () => Date, elapsed: () => number = () => performance.now()) {
  let last = { wall: clock().getTime(), passed: elapsed() };
  let jump: (ClockJump & { passed: number }) | null = null;
  return {
    /** Looks at the clock; returns its jump while it is distrusted, else null. Call it at least once a minute. */
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
