import type { FindingCard } from '@portal/contract/data-quality/data-quality';
import { type FindingKey, findings } from '@portal/contract/data-quality/findings';
import { formatCount } from '@portal/ui';

/** `3 contacts`, `1 invoice`. */
export const countInWords = (finding: FindingKey, count: number): string =>
  `${formatCount(count)} ${count === 1 ? findings[finding].one : findings[finding].many}`;

/** `3 people`, `1 person`. */
export const peopleInWords = (count: number): string => `${formatCount(count)} ${count === 1 ? 'person' : 'people'}`;

/** The share of all accounts in whole percent; small ones are below one, never none. */
export function shareOf(accounts: number, all: number): string {
  const percent = all === 0 ? 0 : (accounts / all) * 100;
  if (percent > 0 && percent < 1) return 'under 1%';
  if (percent > 99 && percent < 100) return 'over 99%';
  return `${Math.round(percent)}%`;
}

/** How the number changed since a week ago, or since the first day that is known; null where there is none. */
export function trendOf({
  rows,
  before,
}: Pick<FindingCard, 'rows' | 'before'>): { words: string; way: 'more' | 'fewer' | 'same'; on: string } | null {
  if (rows === null || before === null) return null;
  const change = rows - before.rows;
  if (change === 0) return { words: 'As many as on', way: 'same', on: before.on };
  return {
    words: `${formatCount(Math.abs(change))} ${change > 0 ? 'more' : 'fewer'} than on`,
    way: change > 0 ? 'more' : 'fewer',
    on: before.on,
  };
}
