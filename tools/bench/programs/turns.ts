import { closeSync, openSync, readSync } from 'node:fs';
import { percentile } from '../figures/bench.ts';

/** How long the event loop of a thread was busy between two samples, in ms. */
export type Turns = {
  p99: number;
  longest: number;
  /** The most processor time it took meanwhile: its program ran. */
  computed: number;
  /** The longest it waited for a processor; null where the system does not say. */
  waited: number | null;
  /** The longest time it was neither computing nor waiting: a system call, or the machine below it, held it up. Includes waiting where that is not reported. */
  blocked: number;
};

/** Where Linux reports how long this thread has waited for a processor. */
const place = '/proc/thread-self/schedstat';

/** Samples the event loop of this thread each millisecond. Returns a function that stops it. */
export function watchTurns(): () => Turns {
  const file = process.platform === 'linux' ? openSync(place, 'r') : null;
  const buffer = Buffer.alloc(100);
  /** Since the thread began, in ms. */
  const look = () => {
    const { user, system } = process.threadCpuUsage();
    const stands = file === null ? 0 : Number(buffer.toString('latin1', 0, readSync(file, buffer, 0, buffer.length, 0)).split(' ')[1]);
    return { at: performance.now(), computed: (user + system) / 1000, waited: stands / 1e6 };
  };
  const lasted: number[] = [];
  let [computed, waited, blocked] = [0, 0, 0];
  let then = look();
  const turn = (): void => {
    const now = look();
    lasted.push(now.at - then.at);
    const [ran, stood] = [now.computed - then.computed, now.waited - then.waited];
    computed = Math.max(computed, ran);
    waited = Math.max(waited, stood);
    blocked = Math.max(blocked, now.at - then.at - ran - stood);
    then = now;
  };
  const timer = setInterval(turn, 1);
  return () => {
    clearInterval(timer);
    turn();
    if (file !== null) closeSync(file);
    const longest = lasted.reduce((most, value) => Math.max(most, value), 0);
    return { p99: percentile(lasted, 0.99), longest, computed, waited: file === null ? null : waited, blocked };
  };
}
