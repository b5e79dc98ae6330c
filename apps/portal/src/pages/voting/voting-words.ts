import { HOUR_MS } from '@portal/contract/days';
import { electionKinds } from '@portal/contract/elections/elections';
import type { ElectionWindow, MemberElection, VotingElection } from '@portal/contract/elections/voting';
import type { State } from '@portal/ui';

/** `one vote`, `4 votes`. */
export const countVotes = (votes: number): string => (votes === 1 ? 'one vote' : `${votes} votes`);

/** Returns the votes of an account: `Your organisation has 4 votes per candidate`. */
export const votesInWords = ({ kind, votes }: Pick<MemberElection, 'kind' | 'votes'>): string | null =>
  votes === null ? null : `Your organisation has ${countVotes(votes)} per ${electionKinds[kind].per}`;

/** Returns the number of seats in words. */
export const seatsInWords = (seats: number | null): string | null => (seats === null ? null : seats === 1 ? 'one seat' : `${seats} seats`);

/** A state of the whole election, shown before its title. */
export function stateOf({ state, windows }: Pick<VotingElection, 'state' | 'windows'>): { state: State; words: string } {
  if (state === 'cancelled') return { state: 'invalid', words: 'Cancelled' };
  if (state === 'closed') return { state: 'closed', words: 'Closed' };
  const open = windows.filter(window => window.state === 'open').map(({ kind }) => kind);
  if (open.some(kind => kind === 'member-vote' || kind === 'attendee-vote')) return { state: 'valid', words: 'Voting is open' };
  if (open.includes('nomination')) return { state: 'valid', words: 'Nominations are open' };
  return { state: 'info', words: 'Upcoming' };
}

export const windowMarks: Record<ElectionWindow['state'], { state: State; words: string }> = {
  'not-yet-open': { state: 'info', words: 'Not yet open' },
  open: { state: 'valid', words: 'Open' },
  closed: { state: 'closed', words: 'Closed' },
};

/** Labels of a window's button, for those who may take part. */
export const actOf: Record<ElectionWindow['kind'], string> = {
  nomination: 'Nominate',
  'proxy-appoint': 'Appoint a proxy',
  'member-vote': 'Vote',
  'proxy-vote': 'Vote as a proxy',
  'attendee-vote': 'Vote as an attendee',
};

type Window = Pick<ElectionWindow, 'opensAt' | 'closesAt'>;

/** Returns the windows and `now` as shares from 0 to 1 of the time from the first opening to the last closing. */
export function timelineOf(
  windows: readonly Window[],
  now: string,
): { now: number | null; at: (instant: string) => number; of: (window: Window) => { from: number; to: number } } {
  const instants = windows.flatMap(({ opensAt, closesAt }) => [Date.parse(opensAt), Date.parse(closesAt)]);
  const last = Math.max(...instants);
  const present = Date.parse(now);
  const first = Math.min(...instants, present);
  const share = (instant: number): number => (last === first ? 0 : (instant - first) / (last - first));
  return {
    now: present > last ? null : share(present),
    at: instant => share(Date.parse(instant)),
    of: ({ opensAt, closesAt }) => ({ from: share(Date.parse(opensAt)), to: share(Date.parse(closesAt)) }),
  };
}

const MAX_MONTHS = 8;

/** The months that begin on a time axis, at most `MAX_MONTHS`: position and label; January and the first have their year. */
export function monthsOf(windows: readonly Window[], now: string): { at: number; label: string }[] {
  const line = timelineOf(windows, now);
  const instants = [now, ...windows.flatMap(({ opensAt, closesAt }) => [opensAt, closesAt])].map(each => Date.parse(each));
  const [first, last] = [Math.min(...instants), Math.max(...instants)];
  const month = new Date(first);
  const months: { at: number; date: Date }[] = [];
  for (let at = Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1, 1); at <= last; ) {
    const date = new Date(at);
    months.push({ at: line.at(date.toISOString()), date });
    at = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
  }
  const step = Math.ceil(months.length / MAX_MONTHS);
  const name = new Intl.DateTimeFormat('en', { month: 'short', timeZone: 'UTC' });
  return months
    .filter((_, index) => index % step === 0)
    .map(({ at, date }, index) => ({
      at,
      label: index === 0 || date.getUTCMonth() === 0 ? `${name.format(date)} ${date.getUTCFullYear()}` : name.format(date),
    }));
}

/** Returns what a clock in this zone shows at an instant, as milliseconds of a clock in UTC that shows the same. */
function shownIn(instant: string, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  }).formatToParts(new Date(instant));
  const part = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.find(each => each.type === type)?.value);
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'));
}

/** Returns by how many hours the official clock is ahead of the reader's in all windows; null where it changes between them, as when summer time begins. */
export function hoursApart(windows: readonly Window[], official: string, own: string): number | null {
  const [first = 0, ...rest] = new Set(
    windows.flatMap(({ opensAt, closesAt }) => [opensAt, closesAt]).map(each => (shownIn(each, official) - shownIn(each, own)) / HOUR_MS),
  );
  return rest.length > 0 ? null : first;
}

/** Describes in which zone times are shown, and how far the official clock is from it. */
export function officialInWords(apart: number | null, timeZone: string): string {
  if (apart === 0) return `Times are official (${timeZone}).`;
  if (apart === null) return `The official time is that of ${timeZone}.`;
  const hours = Math.abs(apart);
  return `Your time. Official time (${timeZone}) is ${hours === 1 ? 'one hour' : `${hours} hours`} ${apart > 0 ? 'ahead' : 'behind'}.`;
}
