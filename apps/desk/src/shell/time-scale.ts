import { daysAfter, daysBetween } from '@portal/contract/days';

/** A drawing of time is so wide, and time goes from its one side to the other. */
export const [WIDTH, LEFT, RIGHT] = [1000, 20, 980];

/** Whole years on a line: `x` is the place of a day, `years` has each with where it begins and how wide it is. */
export type TimeScale = { x: (day: string) => number; years: readonly { year: number; begin: number; width: number }[] };

/** Returns the scale of the years from the one before some days to the one after them. @param more years after those */
export function timeScaleOf(days: readonly string[], more = 0): TimeScale {
  const sorted = days.toSorted();
  const first = Number(sorted[0]!.slice(0, 4)) - 1;
  const end = Number(daysAfter(sorted.at(-1)!, 200).slice(0, 4)) + 1 + more;
  const beginOf = (year: number): string => `${year}-01-01`;
  const span = daysBetween(beginOf(first), beginOf(end));
  const x = (day: string): number => LEFT + (daysBetween(beginOf(first), day) / span) * (RIGHT - LEFT);
  const years = Array.from({ length: end - first }, (_, place) => {
    const begin = x(beginOf(first + place));
    return { year: first + place, begin, width: x(beginOf(first + place + 1)) - begin };
  });
  return { x, years };
}
