const dayMs = 24 * 3_600_000;
const at = (day: string): Date => new Date(`${day}T00:00:00Z`);
const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

/** The day so many days later. Days are `YYYY-MM-DD` of the registry's time zone: none is shorter than another. */
export const daysAfter = (day: string, days: number): string => dayOf(new Date(at(day).getTime() + days * dayMs));

/** Days from one day to another. */
export const daysBetween = (from: string, to: string): number => Math.round((at(to).getTime() - at(from).getTime()) / dayMs);

/** The same day of the next year; 28 February after 29 February. */
export function yearAfter(day: string): string {
  const [year, rest] = [Number(day.slice(0, 4)) + 1, day.slice(4)];
  const isLeap = new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1;
  return `${String(year).padStart(4, '0')}${rest === '-02-29' && !isLeap ? '-02-28' : rest}`;
}

export const latest = (...days: readonly (string | null)[]): string =>
  days.reduce<string>((last, day) => (day !== null && day > last ? day : last), '');
