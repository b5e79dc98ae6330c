import * as z from 'zod/mini';
import { ifMissing } from './if-missing.ts';

/** A day entered by a person, such as `2027-06-30`. ISO 8601 has a year 0; calendars and databases begin with the year 1. */
export const calendarDay = (example = '2027-06-30') =>
  z
    .string(ifMissing(`Enter a date, such as ${example}`))
    .check(z.iso.date({ error: `Enter a date, such as ${example}` }), z.regex(/^(?!0000)/, { error: `Enter a date, such as ${example}` }));
