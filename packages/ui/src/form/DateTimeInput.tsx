import { formatDate } from '../text/DateText.tsx';
import { CalendarInput, type CalendarInputProps } from './CalendarInput.tsx';
import { momentOf } from './moment-of.ts';

/** A date and time in words: `25 Nov 2026, 14:00`; what is none stays as it was typed. */
const inWords = (value: string): string => {
  const moment = momentOf(value);
  return moment === null ? value : formatDate(`${moment}Z`, { timeZone: 'UTC', hourCycle: 'h23' });
};

/** A date and a time of day (`2026-11-25T14:00`) in the zone that the field names, written as everywhere in the portal (`25 Nov 2026, 14:00`) or chosen from the calendar; takes days as `DateInput` does. */
export const DateTimeInput = (props: CalendarInputProps) => (
  <CalendarInput {...props} type="datetime-local" placeholder="Day month year, 14:00" read={momentOf} write={inWords} />
);
