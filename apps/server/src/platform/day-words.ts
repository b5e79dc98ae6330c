const days = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
const daysInFull = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const instantOf = (day: string): Date => new Date(day.length === 10 ? `${day}T00:00:00Z` : day);

/** Returns a day or instant as it is written in a sentence: 21 Dec 2026. */
export const dayInWords = (day: string): string => days.format(instantOf(day));

/** Returns a day or instant as it is written on invoices, certificates and in mail about them: 21 December 2026. */
export const dayInFull = (day: string): string => daysInFull.format(instantOf(day));
