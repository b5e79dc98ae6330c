const days = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });

/** Returns a day or instant as it is written in a sentence: 21 Dec 2026. */
export const dayInWords = (day: string): string => days.format(new Date(day.length === 10 ? `${day}T00:00:00Z` : day));
