/**
 * Days and instants, for the server and the browser. A day is `YYYY-MM-DD`; an instant is a Date, its ISO 8601 text, or its milliseconds since
 * 1970. A day of UTC is not a day of the registry: whatever depends on the registry's calendar (terms, closings, votes) uses `dayIn`.
 */
type Instant = Date | string | number;

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
/** A day of 24 hours: always true in UTC, not always in a zone with summer time. */
export const DAY_MS = 24 * HOUR_MS;

/** Returns the instant so many milliseconds later, as ISO text in UTC. */
export const instantAfter = (from: Instant, milliseconds: number): string =>
  new Date(new Date(from).getTime() + milliseconds).toISOString();

/** Returns the instant so many milliseconds earlier, as ISO text in UTC. */
export const instantBefore = (from: Instant, milliseconds: number): string => instantAfter(from, -milliseconds);

/** Returns the day of an instant in UTC. */
export const utcDay = (instant: Instant): string => new Date(instant).toISOString().slice(0, 10);

/** Formats of days by time zone: making one takes a hundred times as long as using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * Returns the day of an instant in a time zone (IANA name). Terms, closures and votes follow the registry's own zone, independent of
 * the zone of server and member.
 */
export function dayIn(timeZone: string, instant: Date): string {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
    formats.set(timeZone, format);
  }
  return format.format(instant);
}

/** Returns the place that names a time zone (IANA name), as a person says it: `Brisbane` of `Australia/Brisbane`. */
export const placeOfZone = (timeZone: string): string => timeZone.slice(timeZone.lastIndexOf('/') + 1).replaceAll('_', ' ');

/** Returns how far a time zone (IANA name) is ahead of UTC at an instant, as statistics files print it: `+1000`, `-0330`. */
export function offsetIn(timeZone: string, instant: Date): string {
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' }).formatToParts(instant);
  const name = parts.find(({ type }) => type === 'timeZoneName')!.value;
  return name === 'GMT' ? '+0000' : name.slice(3, 9).replace(':', '');
}

/** Returns the day this many days later, or earlier if negative. Calendar days: daylight saving doesn't matter. */
export const daysAfter = (day: string, days: number): string => utcDay(Date.parse(day) + days * DAY_MS);

/** Returns how many days the second day is after the first. */
export const daysBetween = (first: string, second: string): number => Math.round((Date.parse(second) - Date.parse(first)) / DAY_MS);

/** Returns the same day this many years later; 29 February becomes 28 February in other years, as for terms and holds. */
export function yearsAfter(day: string, years: number): string {
  const [year, rest] = [String(Number(day.slice(0, 4)) + years).padStart(4, '0'), day.slice(4)];
  return rest === '-02-29' && utcDay(`${year}-02-28T24:00:00Z`).slice(4) !== rest ? `${year}-02-28` : `${year}${rest}`;
}

/**
 * Returns the last day of a year that begins on a day: the one before the same day. A year from 1 March ends on the last day of February, and so does one from 29 February: a term
 * that ends with February ends with it in every year (decision 253).
 */
export function lastDayOfYear(first: string): string {
  const end = yearsAfter(first, 1);
  return end.slice(4) === first.slice(4) ? daysAfter(end, -1) : end;
}

/** Returns the same day so many months later; the last day of a shorter month. */
export function monthsAfter(day: string, months: number): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0));
  last.setUTCDate(Math.min(date, last.getUTCDate()));
  return utcDay(last);
}

/** A number of months in words: `1 month`, `3 months`. */
export const monthsInWords = (months: number): string => (months === 1 ? '1 month' : `${months} months`);
