import { formatCount } from '@portal/ui';

/** The server counts no further than this. */
const MAX_COUNTED = 1_000;

/** Returns a number of rows in words: `None`, `12`, `1,000 or more`. */
export const countedInWords = (rows: number): string =>
  rows === 0 ? 'None' : rows >= MAX_COUNTED ? `${formatCount(rows)} or more` : formatCount(rows);

/** Returns a period in words: `2 years`, `18 months`. */
export const monthsInWords = (months: number): string =>
  months % 12 === 0 ? `${months / 12} ${months === 12 ? 'year' : 'years'}` : `${months} ${months === 1 ? 'month' : 'months'}`;
