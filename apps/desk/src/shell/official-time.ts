import { DAY_MS } from '@portal/contract/days';
const formatters = new Map<string, Intl.DateTimeFormat>();

/** Returns the local time of a zone at an instant as if it were UTC, in milliseconds. */
function clockAt(instant: number, timeZone: string): number {
  let format = formatters.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
    formatters.set(timeZone, format);
  }
  const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  return Date.UTC(parts.year!, parts.month! - 1, parts.day, parts.hour, parts.minute, parts.second);
}

/** An instant (ISO 8601) as the clocks of a zone show it, to the minute: `2027-02-16T14:00`, as a field for date and time has it. */
export const clockTimeOf = (instant: string, timeZone: string): string =>
  new Date(clockAt(Date.parse(instant), timeZone)).toISOString().slice(0, 16);

const isClockTime = (time: string): boolean => /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(time);

/**
 * The instant (ISO 8601) at which the clocks of a zone show a time; the first of two where they are turned back, null where they are turned forward over
 * it, or where it is no time.
 * @param time `2027-02-16T14:00`
 */
export function instantOf(time: string, timeZone: string): string | null {
  const wanted = isClockTime(time) ? Date.parse(`${time}:00Z`) : Number.NaN;
  if (Number.isNaN(wanted)) return null;
  // A day before and after, the zone is at whatever two distances from UTC come into question.
  const found = [wanted - DAY_MS, wanted + DAY_MS]
    .map(near => wanted - (clockAt(near, timeZone) - near))
    .filter(instant => clockAt(instant, timeZone) === wanted);
  return found.length === 0 ? null : new Date(Math.min(...found)).toISOString();
}

/** The reason why clocks of a zone never show what a field for date and time has; undefined if they do. */
export function problemOfTime(time: string, timeZone: string): string | undefined {
  if (instantOf(time, timeZone) !== null) return undefined;
  return isClockTime(time)
    ? `Clocks in ${timeZone} go forward over this time. Choose another`
    : 'Enter a date and a time, such as 25 Nov 2026, 14:00';
}
