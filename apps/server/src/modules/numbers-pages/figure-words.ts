import { formatCount, groupDigits } from '@portal/number-resources';
import type { ResourceFamily } from '@portal/number-resources';
import { MIN_DELEGATIONS } from '@portal/contract/resources/forecast';
import { monthsAfter } from '@portal/contract/days';
import { monthsLeft, type PoolFigures } from './figures.ts';

/** Units in which quantities are said: a block that members know. */
const units: Record<ResourceFamily, { size: bigint; word: string }[]> = {
  ipv4: [
    { size: 1n << 8n, word: '× /24' },
    { size: 1n, word: 'addresses' },
  ],
  ipv6: [
    { size: 1n << 96n, word: '× /32' },
    { size: 1n << 80n, word: '× /48' },
    { size: 1n, word: 'addresses' },
  ],
  asn: [{ size: 1n, word: 'AS numbers' }],
};

export const kindNames = { ipv4: 'IPv4', ipv6: 'IPv6', asn: 'AS numbers' } as const satisfies Record<ResourceFamily, string>;
export const kindLooks = { ipv4: 'v4', ipv6: 'v6', asn: 'as' } as const satisfies Record<ResourceFamily, string>;

/** A quantity in the largest unit of which it has some: `43 × /24`. */
export function quantity(kind: ResourceFamily, digits: string): string {
  const count = BigInt(digits);
  const { size, word } = units[kind].find(unit => count >= unit.size) ?? units[kind].at(-1)!;
  if (kind === 'asn' && count === 1n) return '1 AS number';
  const tenths = (count * 10n) / size;
  const rest = tenths % 10n;
  return `${groupDigits(String(tenths / 10n))}${rest > 0n && tenths < 1000n ? `.${rest}` : ''} ${word}`;
}

/** A share in percent, without decimals from one percent on. */
export const percent = (share: number | null): string =>
  share === null ? '–' : share > 0 && share < 0.01 ? `${(share * 100).toFixed(1)}%` : `${Math.round(share * 100)}%`;

const monthNames = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const shortMonths = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' });
/** A month in words: October 2026. */
export const monthInWords = (month: string): string => monthNames.format(new Date(`${month.slice(0, 7)}-01T00:00:00Z`));
export const shortMonth = (month: string): string =>
  shortMonths.format(new Date(`${month.slice(0, 7)}-01T00:00:00Z`)).replace('Sept', 'Sep');

/** Months from which a forecast isn’t named any more. */
const MAX_MONTHS = 600;

/** How long something lasts: 22 months. */
function span(months: number): string {
  if (months >= MAX_MONTHS) return 'more than 50 years';
  if (months >= 36) return `${formatCount(Math.round(months / 12))} years`;
  if (months < 1) return 'less than a month';
  const whole = Math.round(months);
  return whole === 1 ? 'a month' : `${whole} months`;
}

/** How long free numbers last at the pace of the last 12 months. @param delegations of these months: of few there is no forecast */
export function lastsInWords(pool: PoolFigures, delegations: number): string {
  if (pool.available === '0') return 'nothing is free';
  const months = monthsLeft(pool);
  if (months === null) return 'no forecast: none delegated in 12 months';
  if (delegations < MIN_DELEGATIONS) return 'too few delegations for a forecast';
  return months >= 1 && months < MAX_MONTHS ? `about ${span(months)}` : span(months);
}

/** Months that free numbers last at the pace of the busiest, the last and the quietest year; null: not in sight at that pace. */
export type Forecast = { shortest: number; usual: number | null; longest: number | null };

/** Returns how long free numbers last by the paces of three years; null where nothing is free, few or nothing was given, or the day was counted without these paces. */
export function forecastOf({ available, given, givenMost, givenLeast }: PoolFigures, delegations: number): Forecast | null {
  if (delegations < MIN_DELEGATIONS || available === '0' || givenMost === undefined || givenLeast === undefined) return null;
  const shortest = monthsLeft({ available, given: givenMost });
  return shortest === null
    ? null
    : { shortest, usual: monthsLeft({ available, given }), longest: monthsLeft({ available, given: givenLeast }) };
}

/** The bounds of a forecast: 15 months to 4 years. */
export function boundsInWords({ shortest, longest }: Forecast): string {
  if (longest === null) return shortest >= MAX_MONTHS ? span(shortest) : `${span(shortest)} or longer`;
  const [from, to] = [span(shortest), span(longest)];
  return from === to ? from : `${from} to ${to}`;
}

/** The month in which free numbers run out; null where it is too far away to name, or of few delegations. */
export function runsOutIn(pool: PoolFigures, day: string, delegations: number): string | null {
  if (delegations < MIN_DELEGATIONS) return null;
  const months = monthsLeft(pool);
  return months === null || months >= MAX_MONTHS ? null : monthInWords(monthsAfter(day, Math.floor(months)));
}
