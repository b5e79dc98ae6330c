import { DAY_MS, HOUR_MS, MINUTE_MS } from '@portal/contract/days';
import { instantOfLocal, offsetAt } from './zone-offset.ts';

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;
const pattern = /^(Sun|Mon|Tue|Wed|Thu|Fri|Sat)-(Sun|Mon|Tue|Wed|Thu|Fri|Sat) ([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-4]):([0-5]\d)$/;

/** When support is staffed: weekdays (0 is Sunday), and from when to when in milliseconds of the day. */
export type Hours = { weekdays: ReadonlySet<number>; from: number; to: number };

/** Parses hours such as `Mon-Fri 09:00-17:00`; null if invalid, or if they end before they begin. */
export function readHours(text: string): Hours | null {
  const found = pattern.exec(text);
  if (!found) return null;
  const [, first, last, ...numbers] = found;
  const [fromHour, fromMinute, toHour, toMinute] = numbers.map(Number) as [number, number, number, number];
  const from = fromHour * HOUR_MS + fromMinute * MINUTE_MS;
  const to = toHour * HOUR_MS + toMinute * MINUTE_MS;
  if (from >= to || to > DAY_MS) return null;
  const weekdays = new Set<number>();
  for (let day = days.indexOf(first as 'Mon'); ; day = (day + 1) % 7) {
    weekdays.add(day);
    if (days[day] === last) break;
  }
  return { weekdays, from, to };
}

/** Reads the setting: `{ hours: null }` if it is empty, null if it is invalid. */
export function readSupportHours(text: string): { hours: Hours | null } | null {
  if (text === '') return { hours: null };
  const hours = readHours(text);
  return hours && { hours };
}

/** Returns whether support is staffed at an instant, and when that changes. */
export function staffedAt({ weekdays, from, to }: Hours, timeZone: string, now: Date): { staffed: boolean; until: string } {
  const local = now.getTime() + offsetAt(timeZone, now.getTime());
  const today = local - (local % DAY_MS);
  for (let day = 0; day <= 7; day++) {
    const start = today + day * DAY_MS;
    if (!weekdays.has(new Date(start).getUTCDay())) continue;
    const [opens, closes] = [instantOfLocal(timeZone, start + from), instantOfLocal(timeZone, start + to)];
    if (now.getTime() < opens) return { staffed: false, until: new Date(opens).toISOString() };
    if (now.getTime() < closes) return { staffed: true, until: new Date(closes).toISOString() };
  }
  throw new Error('Hours without a weekday');
}
