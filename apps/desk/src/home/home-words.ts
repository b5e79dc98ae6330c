import { MIN_DELEGATIONS } from '@portal/contract/resources/forecast';
import type { DeskHome, HomeCase } from '@portal/contract/staff/desk-home';

/** Rows of the picture of the queue, in their order. */
export const queueRows = {
  ipv4: 'IPv4',
  ipv6: 'IPv6',
  asn: 'AS numbers',
  transfers: 'Transfers',
  organisations: 'Organisations',
  contacts: 'Contacts',
  closures: 'Closures',
  applications: 'New accounts',
} as const;
export type QueueRow = keyof typeof queueRows;

/** The row of the picture that a case is in. */
export const rowOf = ({ kind, resource }: Pick<HomeCase, 'kind' | 'resource'>): QueueRow =>
  kind === 'resources' ? (resource ?? 'ipv4') : kind;

/** The name of a case: its reference, or what it asks for. */
export const caseName = ({ reference, asked }: Pick<HomeCase, 'reference' | 'asked'>): string => reference ?? asked;

/** About which account a case is, and what it asks for where the reference names it. */
export const caseAbout = ({
  reference,
  accountName,
  orgName,
  asked,
}: Pick<HomeCase, 'reference' | 'accountName' | 'orgName' | 'asked'>): string =>
  [accountName ?? orgName, reference === null ? '' : asked].filter(Boolean).join(', ');

/** An age in words: `just now`, `4 min old`, `3 days old`. */
export const oldInWords = (minutes: number): string => (minutes < 1 ? 'just now' : `${ageInWords(minutes)} old`);

/** An age in words: `4 min`, `6 h 10`, `3 days`. */
export function ageInWords(minutes: number): string {
  if (minutes < 1) return 'less than a minute';
  if (minutes < 60) return `${Math.round(minutes)} min`;
  if (minutes < 48 * 60) return hoursOf(minutes);
  return `${Math.round(minutes / 1440)} days`;
}
const hoursOf = (minutes: number): string => {
  const rest = Math.round(minutes) % 60;
  const hours = Math.floor(Math.round(minutes) / 60);
  return rest === 0 ? `${hours} h` : `${hours} h ${String(rest).padStart(2, '0')}`;
};

const monthNames = new Intl.DateTimeFormat('en-GB', { month: 'short', timeZone: 'UTC' });
/** A month of the year: `Nov`. */
export const monthOf = (month: string): string => monthNames.format(new Date(`${month}-15T00:00:00Z`)).replace('Sept', 'Sep');
const dayNames = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
/** A day of a year: `16 Nov`. */
export const dayOf = (day: string): string => dayNames.format(new Date(`${day}T00:00:00Z`)).replace('Sept', 'Sep');

type Pool = NonNullable<DeskHome['pools']>[number];

/** How long a pool lasts at the rate of the last year, in words; the public figures say no more of a few delegations either. */
export function lastsWords({ available, yearly, delegations }: Pick<Pool, 'available' | 'yearly' | 'delegations'>): string {
  if (delegations === 0) return 'nothing delegated in a year';
  if (delegations < MIN_DELEGATIONS)
    return `${delegations} ${delegations === 1 ? 'delegation' : 'delegations'} in a year: too few for a forecast`;
  const months = Number((BigInt(available) * 12n) / BigInt(yearly));
  if (months < 1) return 'less than a month left';
  if (months < 24) return `about ${months} ${months === 1 ? 'month' : 'months'} left`;
  return months < 1200 ? `about ${Math.floor(months / 12)} years left` : 'lasts for centuries';
}

/**
 * Returns the places of cases on a track, in percent from its right end, the youngest there: beside each other where their ages are alike. A case without a
 * promise is never late, so however old it stands outside of the part where late ones are. @param most the hours at the left end @param promise the hours
 * from which a case is late @param width the share of the track that one takes, in percent, more of it on a small screen
 */
export function placesOf(
  rows: readonly Pick<HomeCase, 'hours' | 'dueAt'>[],
  { most, promise, width }: { most: number; promise: number; width: number },
): number[] {
  // Of a case without a promise, what stands before the line of the promise.
  const capOf = ({ dueAt }: Pick<HomeCase, 'dueAt'>): number => (dueAt === null ? (promise / most) * 100 : 100) - width;
  const youngest = rows
    .map((row, place) => ({ place, cap: capOf(row), at: Math.min(Math.min(1, row.hours / most) * (100 - width), capOf(row)) }))
    .toSorted((a, b) => a.at - b.at);
  const places: number[] = [];
  let free = 0;
  for (const { place, at } of youngest) {
    places[place] = Math.max(at, free);
    free = places[place] + width;
  }
  // Many old ones push each other over the edge: they are moved back together.
  let edge = 100 - width;
  for (const { place, cap } of youngest.toReversed()) {
    places[place] = Math.max(0, Math.min(places[place]!, edge, cap));
    edge = places[place] - width;
  }
  return places;
}
