import { openSync, readSync } from 'node:fs';

/**
 * Makes `Date` show a time this many milliseconds ahead. Serialised into pages as well, so it uses nothing from outside.
 * @param ahead in milliseconds; a function is asked each time
 */
export function moveClock(ahead: number | (() => number)): void {
  const Real = Date;
  const now = Real.now.bind(Real);
  const moved = (): number => now() + (typeof ahead === 'number' ? ahead : ahead());
  Real.now = moved;
  globalThis.Date = new Proxy(Real, {
    construct: (target, given: unknown[], as) => Reflect.construct(target, given.length === 0 ? [moved()] : given, as) as Date,
    apply: () => new Real(moved()).toString(),
  });
  Real.prototype.constructor = globalThis.Date;
}

/** Reads a number of milliseconds from the file every time, so that a clock can be moved while its program runs. */
function aheadIn(file: string): () => number {
  const open = openSync(file, 'r');
  const bytes = Buffer.alloc(16);
  return () => Number(bytes.toString('latin1', 0, readSync(open, bytes, 0, bytes.length, 0)));
}

// A program that is started with `--import …/moved-clock.ts?file=…` has its clock ahead by what the file says, in its threads too: the embedded database shows the
// same time.
const file = new URL(import.meta.url).searchParams.get('file');
if (file !== null) moveClock(aheadIn(file));
