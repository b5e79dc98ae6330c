import { formatDate } from '../text/DateText.tsx';
import { CalendarInput, type CalendarInputProps } from './CalendarInput.tsx';
import { dayOf } from '@portal/number-resources/written-day';

/** A day in words: `25 Nov 2026`; what is no day stays as it was typed. */
const inWords = (value: string): string =>
  dayOf(value) === null ? value : formatDate(value, { timeZone: 'UTC', hourCycle: 'h23' }, 'date');

/**
 * A day, written as everywhere in the portal (`25 Nov 2026`) whatever the browser's language, or chosen from the calendar. Also takes `2026-11-25`, `25 November 2026` and
 * `25.11.2026`; not `11/12/2026`, which is two days.
 */
export const DateInput = (props: CalendarInputProps) => (
  <CalendarInput {...props} type="date" placeholder="Day month year" read={dayOf} write={inWords} />
);
