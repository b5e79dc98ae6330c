/**
 * Makes `Date` show a time this many milliseconds ahead. Serialised into pages as well, so it uses nothing from outside.
 * @param ahead in milliseconds
 */
export function moveClock(ahead: number): void {
  const Real = Date;
  const now = Real.now.bind(Real);
  const moved = (): number => now() + ahead;
  Real.now = moved;
  globalThis.Date = new Proxy(Real, {
    construct: (target, given: unknown[], as) => Reflect.construct(target, given.length === 0 ? [moved()] : given, as) as Date,
    apply: () => new Real(moved()).toString(),
  });
  Real.prototype.constructor = globalThis.Date;
}

// A program that is started with `--import …/moved-clock.ts?ahead=…` has its clock moved, in its threads too: the embedded database shows the same time.
const ahead = Number(new URL(import.meta.url).searchParams.get('ahead') ?? 0);
if (ahead > 0) moveClock(ahead);
