import { money } from '@portal/app-kit/words/billing-words';
import type { AnnouncedFees, FeeAnnouncement, FeeDesk, FeeRules } from '@portal/contract/billing/fee-schedules';
import { pages } from '@portal/contract/pages';

/** A factor or share without the zeros that a database adds: `1.32`. */
export const plainNumber = (text: string): string => String(Number(text));

/** A share in percent: `0.5` is `50`. */
export const percentOf = (share: string): string => String(Math.round(Number(share) * 10_000) / 100);

/** Reads a percentage from 0 to 100 as a share: `50 %` is `0.5`; null for anything else. */
export function shareOf(percent: string): string | null {
  const [, digits] = /^\s*(\d{1,3}(?:\.\d{1,2})?)\s*%?\s*$/.exec(percent) ?? [];
  return digits === undefined || Number(digits) > 100 ? null : String(Math.round(Number(digits) * 100) / 10_000);
}

type Row = { label: string; words: (rules: FeeRules, currency: string) => string };

/** The rules of a kind of account, in words. */
export const feeRows: Readonly<Record<keyof FeeRules, Row>> = {
  baseFee: { label: 'Base fee', words: ({ baseFee }, currency) => money(currency, baseFee) },
  bitFactor: { label: 'Factor for each doubling', words: ({ bitFactor }) => plainNumber(bitFactor) },
  ipv4Base: { label: 'Base fee up to, IPv4', words: ({ ipv4Base }) => `/${ipv4Base}` },
  ipv6Base: { label: 'Base fee up to, IPv6', words: ({ ipv6Base }) => `/${ipv6Base}` },
  associateFee: { label: 'Without addresses', words: ({ associateFee }, currency) => money(currency, associateFee) },
  nirMultiplier: { label: 'National registry, times', words: ({ nirMultiplier }) => plainNumber(nirMultiplier) },
  ldcShare: { label: 'Least developed countries pay', words: ({ ldcShare }) => `${percentOf(ldcShare)} %` },
  asnFee: { label: 'Each further AS number', words: ({ asnFee }, currency) => money(currency, asnFee) },
  freeAsns: { label: 'AS numbers without a fee', words: ({ freeAsns }) => String(freeAsns) },
  signUpFee: { label: 'Sign-up, once', words: ({ signUpFee }, currency) => money(currency, signUpFee) },
  countHistorical: { label: 'Historical space counts', words: ({ countHistorical }) => (countHistorical ? 'Yes' : 'No') },
  firstPi48Free: { label: 'First assigned IPv6 /48 is free', words: ({ firstPi48Free }) => (firstPi48Free ? 'Yes' : 'No') },
};
export const feeFields = Object.keys(feeRows) as (keyof FeeRules)[];

/** Returns whether two rules say the same: `1.3` is `1.3000`. */
export const isSame = (one: FeeRules, other: FeeRules, field: keyof FeeRules): boolean =>
  feeRows[field].words(one, '') === feeRows[field].words(other, '');

/** `the year 2028`, or the days where they are no calendar year. */
export const termWords = ({ validFrom, validUntil }: { validFrom: string; validUntil: string }): string => {
  const year = validFrom.slice(0, 4);
  return validFrom === `${year}-01-01` && validUntil === `${year}-12-31` ? year : `${dayWords(validFrom)} to ${dayWords(validUntil)}`;
};

const dayWords = (day: string): string =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' })
    .format(new Date(`${day}T00:00:00Z`))
    .replace('Sept', 'Sep');

/** Returns the annual fee of a member with an IPv4 block of a length, which may have a fraction, before reductions and tax, to the cent. */
export const feeOf = ({ baseFee, bitFactor, ipv4Base }: FeeRules, length: number): number =>
  Math.round(Number(baseFee) * Number(bitFactor) ** Math.max(0, ipv4Base - length) * 100) / 100;

/** `+2.5 %`, `−47 %`, `0 %`. */
export const percentWords = (percent: number): string => {
  const rounded = Math.abs(percent).toFixed(1).replace(/\.0$/, '');
  return `${rounded === '0' ? '' : percent > 0 ? '+' : '−'}${rounded} %`;
};

/** How much a bill changes, in percent of the one before; null where there is none. */
export const percentBetween = (before: string | null, after: string): number | null =>
  before === null || Number(before) === 0 ? null : (Number(after) / Number(before) - 1) * 100;

export const draftHref = (draftId: string): string => `${pages.deskFees.path}?draft=${draftId}`;

/** A number of addresses as the prefix that they are, `/22`; null where they are none. @param whole the length of a single address, or block */
export function prefixWords(count: string, whole: number): string | null {
  const digits = BigInt(count).toString(2);
  return /^10*$/.test(digits) ? `/${whole - digits.length + 1}` : null;
}

/** The announced fees that end before others begin; undefined without any. */
export const feesBefore = ({ validFrom }: FeeAnnouncement, { announced }: FeeDesk): AnnouncedFees | undefined =>
  announced.find(({ validUntil }) => validUntil < validFrom);
