const formats = {
  short: new Intl.DateTimeFormat('en-GB', { month: 'short', timeZone: 'UTC' }),
  full: new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' }),
};

/** Returns a month such as `2026-10` in words: `October 2026`, or in three letters without the year. */
export const monthName = (month: string, shape: keyof typeof formats = 'full'): string =>
  formats[shape].format(new Date(`${month}-01T00:00:00Z`));

/** Returns the year of a month. */
export const yearOf = (month: string): string => month.slice(0, 4);
