/** Height of a case in the rail with the space below it, in px. */
export const PITCH = 44;
/** Days that are named beside the axis, where there is room. */
const NAMED = [1, 3, 10, 30, 100, 300, 1000] as const;
/** Space that a name takes, in px. */
const NAME_HEIGHT = 14;
/** Fewer cases have no axis. */
const ENOUGH = 3;

export type RailAxis = {
  height: number;
  /** Where each case is by its age, and where its line in the list is; both in px from the top. */
  cases: { at: number; row: number }[];
  names: { at: number; words: string }[];
};

/**
 * Returns the axis of time beside a list of cases, from the oldest at the top to now at the bottom. Recent days have more room than old ones. Null for too few cases.
 * @param ages of the cases in days, in the order of the list
 */
export function railAxisOf(ages: readonly number[]): RailAxis | null {
  const oldest = Math.max(...ages);
  if (ages.length < ENOUGH || oldest <= 0) return null;
  const height = ages.length * PITCH;
  const [top, bottom] = [PITCH / 2, height - PITCH / 2];
  const at = (days: number): number => bottom - ((bottom - top) * Math.log1p(Math.max(0, days))) / Math.log1p(oldest);
  const names = [{ at: bottom, words: 'now' }];
  for (const days of NAMED) {
    const place = at(days);
    if (days < oldest && place < names.at(-1)!.at - NAME_HEIGHT) names.push({ at: place, words: `${days} d` });
  }
  return { height, names, cases: ages.map((age, index) => ({ at: at(age), row: index * PITCH + PITCH / 2 })) };
}
