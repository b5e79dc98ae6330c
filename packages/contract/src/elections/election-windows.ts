import type { WindowState } from './life.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../days.ts';
/** Windows of an election, in the order of the timetable. */
export const windowKinds = {
  nomination: 'Nominations',
  'proxy-appoint': 'Proxy appointment',
  'member-vote': 'Voting of members',
  'proxy-vote': 'Voting of proxies',
  'attendee-vote': 'Voting of attendees',
} as const;
export type WindowKind = keyof typeof windowKinds;
export const windowKindNames = Object.keys(windowKinds) as [WindowKind, ...WindowKind[]];

/** From when and until when something is possible, as ISO instants. */
type Window = { opensAt: string; closesAt: string };

/** Returns the state of a window: open from the instant it opens to just before the instant it closes. */
export function windowStateAt({ opensAt, closesAt }: Window, now: Date): WindowState {
  if (now.getTime() < Date.parse(opensAt)) return 'not-yet-open';
  return now.getTime() < Date.parse(closesAt) ? 'open' : 'closed';
}

const units = [
  ['day', DAY_MS],
  ['hour', HOUR_MS],
  ['minute', MINUTE_MS],
] as const;

/** A span of time in whole units, rounded down: `3 days`, `1 hour`, `less than a minute`. */
export function spanInWords(milliseconds: number): string {
  for (const [unit, size] of units) {
    const count = Math.floor(milliseconds / size);
    if (count >= 1) return `${count} ${unit}${count === 1 ? '' : 's'}`;
  }
  return 'less than a minute';
}

/** The state of a window with the time left until, or passed since: `Opens in 3 days`. */
export function windowInWords(window: Window, now: Date): string {
  const state = windowStateAt(window, now);
  if (state === 'not-yet-open') return `Opens in ${spanInWords(Date.parse(window.opensAt) - now.getTime())}`;
  if (state === 'open') return `Closes in ${spanInWords(Date.parse(window.closesAt) - now.getTime())}`;
  return `Closed ${spanInWords(now.getTime() - Date.parse(window.closesAt))} ago`;
}
