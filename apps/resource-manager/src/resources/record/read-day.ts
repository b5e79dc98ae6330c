import { utcDay } from '@portal/contract/days';

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Reads a day as people write it, `20 Nov 2026` or `2026-11-20`; null for anything else, and for days that don’t exist. Numbers alone with slashes are not read: they mean two things. */
export function readDay(text: string): string | null {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text.trim()) ?? [];
  const [, dayOfMonth, name, yearAfter] = /^(\d{1,2})\.? +([a-z]{3})[a-z]* +(\d{4})$/i.exec(text.trim()) ?? [];
  const parts =
    year !== undefined
      ? [Number(year), Number(month) - 1, Number(day)]
      : [Number(yearAfter), months.indexOf(name?.toLowerCase() ?? ''), Number(dayOfMonth)];
  const [wantedYear = Number.NaN, wantedMonth = -1, wantedDay = 0] = parts;
  if (Number.isNaN(wantedYear) || wantedMonth < 0 || wantedYear < 1970) return null;
  const date = new Date(Date.UTC(wantedYear, wantedMonth, wantedDay));
  return date.getUTCMonth() === wantedMonth && date.getUTCDate() === wantedDay ? utcDay(date) : null;
}
