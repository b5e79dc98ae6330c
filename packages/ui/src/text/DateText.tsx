import { createContext, useContext } from 'react';

/** How this person reads times. `timeZone` is an IANA name. */
export type DateFormat = { timeZone: string; hourCycle: 'h12' | 'h23' };

/** Set once by the application from the person's settings. */
export const DateFormatSetting = /* @__PURE__ */ createContext<DateFormat>({ timeZone: 'UTC', hourCycle: 'h23' });

const formatters = /* @__PURE__ */ new Map<string, Intl.DateTimeFormat>();
const formatter = (timeZone: string, key: string, options: Intl.DateTimeFormatOptions) => {
  const id = `${timeZone} ${key}`;
  let found = formatters.get(id);
  if (!found) formatters.set(id, (found = new Intl.DateTimeFormat('en-GB', { timeZone, ...options })));
  return found;
};

/** `day` is a date with its weekday, `day-month` one without its year, `month` and `month-year` the month alone. `utc` is date and time in UTC and says so, whatever zone the person reads times in: for what other operators compare. */
export type DateShape = 'date' | 'day' | 'day-month' | 'month' | 'month-year' | 'time' | 'date-time' | 'day-time' | 'utc';

/**
 * An instant in words: `20 Nov 2026`, `Fri 20 Nov 2026`, `20 Nov`, `Nov`, `Nov 2026`, `09:31`, `20 Nov 2026, 09:31`, `20 Nov 2026, 09:31 UTC`; `exact` adds seconds and the offset. The instant is ISO 8601 text. A
 * calendar day (`2026-11-20`) is that day in every zone: it has no time.
 */
export function formatDate(iso: string, { timeZone: own, hourCycle }: DateFormat, shape: DateShape = 'date-time', exact = false): string {
  const isCalendarDay = /^\d{4}-\d\d-\d\d$/.test(iso);
  const timeZone = isCalendarDay ? 'UTC' : own;
  const instant = new Date(iso);
  if (Number.isNaN(instant.getTime())) return iso;
  // British English has four letters for September.
  const named = (key: string, options: Intl.DateTimeFormatOptions) =>
    formatter(timeZone, key, { month: 'short', ...options })
      .format(instant)
      .replace('Sept', 'Sep');
  const date = () => named('date', { day: 'numeric', year: 'numeric' });
  const day = () => `${formatter(timeZone, 'weekday', { weekday: 'short' }).format(instant)} ${date()}`;
  const time = () => {
    const seconds = exact ? { second: '2-digit' as const } : {};
    return formatter(timeZone, `time ${hourCycle} ${exact}`, {
      hour: hourCycle === 'h12' ? 'numeric' : '2-digit',
      minute: '2-digit',
      ...seconds,
      hourCycle,
    })
      .format(instant)
      .replace(/\u202f/g, ' ');
  };
  const offset = () => {
    const part = formatter(timeZone, 'offset', { timeZoneName: 'longOffset' })
      .formatToParts(instant)
      .find(({ type }) => type === 'timeZoneName');
    return part?.value.replace('GMT', '') || '+00:00';
  };
  if (exact) return isCalendarDay ? day() : `${date()}, ${time()} ${offset()}`;
  switch (shape) {
    case 'date':
      return date();
    case 'day':
      return day();
    case 'day-month':
      return named('day-month', { day: 'numeric' });
    case 'month':
      return named('month', {});
    case 'month-year':
      return named('month-year', { year: 'numeric' });
    case 'time':
      return time();
    case 'date-time':
      return `${date()}, ${time()}`;
    case 'day-time':
      return `${day()}, ${time()}`;
    case 'utc':
      return `${formatDate(iso, { timeZone: 'UTC', hourCycle: 'h23' })} UTC`;
  }
}

/** An absolute date or time; the exact instant with its offset is on hover. */
export function DateText({ value, shape = 'date-time', format }: { value: string; shape?: DateShape; format?: DateFormat }) {
  const setting = useContext(DateFormatSetting);
  const used = format ?? setting;
  return (
    <time dateTime={value} title={formatDate(value, used, shape, true)} className="nw">
      {formatDate(value, used, shape)}
    </time>
  );
}
