import type { EndingKind } from '@portal/contract/privacy/privacy';
import { formatCount } from '@portal/ui';

/** The server counts no further than this. */
const MAX_COUNTED = 1_000;

/** Returns a number of rows in words: `None`, `12`, `1 000 or more`. */
export const countedInWords = (rows: number): string =>
  rows === 0 ? 'None' : rows >= MAX_COUNTED ? `${formatCount(rows)} or more` : formatCount(rows);

/** Returns a period in words: `2 years`, `18 months`. */
export const monthsInWords = (months: number): string =>
  months % 12 === 0 ? `${months / 12} ${months === 12 ? 'year' : 'years'}` : `${months} ${months === 1 ? 'month' : 'months'}`;

type Figure = { words: string; value: string; note?: string };

/** Returns the sum of rows, in words; a kind that isn’t counted to its end makes it “or more”. */
function sumInWords(rows: readonly number[]): string {
  const sum = formatCount(rows.reduce((before, more) => before + more, 0));
  return rows.some(each => each >= MAX_COUNTED) ? `${sum} or more` : sum;
}

/** Returns what the page says first, over all kinds: what goes next, what waits, what is kept, and what went. */
export function figuresOf(kinds: readonly EndingKind[]): Figure[] {
  const waiting = kinds.filter(({ waitsSince }) => waitsSince !== null);
  return [
    {
      words: 'Rows that the next run deletes',
      value: sumInWords(kinds.filter(({ waitsSince }) => waitsSince === null).map(({ over }) => over)),
      ...(waiting.length > 0 && { note: `and ${sumInWords(waiting.map(({ over }) => over))} for which two people have to agree` }),
    },
    { words: 'Over, and kept by a hold', value: sumInWords(kinds.map(({ held }) => held)) },
    { words: 'Deleted in 30 days', value: formatCount(kinds.reduce((sum, { ended }) => sum + ended, 0)) },
  ];
}
