const days = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
const daysInFull = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const instantOf = (day: string): Date => new Date(day.length === 10 ? `${day}T00:00:00Z` : day);

/** Formats a day or instant for a sentence: 21 Dec 2026. */
export const dayInWords = (day: string): string => days.format(instantOf(day)).replace('Sept', 'Sep');

/** Formats a day or instant for invoices, certificates and mail about them: 21 December 2026. */
export const dayInFull = (day: string): string => daysInFull.format(instantOf(day));

/** Leaves an instant in a sentence of a page as it is (ISO 8601): the page shows the day of the reader's zone there (`DatedText`). Days of a calendar are `dayInWords`. */
export const readersDay = (instant: string | Date): string => new Date(instant).toISOString();
