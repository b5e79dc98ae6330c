import type { HeldRole, StaffMember } from '@portal/contract/roles/roles';
import { DAY_MS, utcDay } from '@portal/contract/days';

const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
/** A day in few words: `30 Nov`. */
export const dayOf = (day: string): string => days.format(new Date(utcDay(day))).replace('Sept', 'Sep');

/** Returns the words beside a role that ends or has not begun; null for others. */
export function periodWords({ startsAt, until }: Pick<HeldRole, 'startsAt' | 'until'>, now: Date): string | null {
  if (startsAt > now.toISOString()) return `from ${dayOf(startsAt)}`;
  return until === null ? null : `to ${dayOf(until)}`;
}

/** Who gave a role, as the beginning of a line. */
export const giverWords = ({ givenBy, group }: Pick<HeldRole, 'givenBy' | 'group'>): string =>
  group !== null ? `By the group ${group}` : givenBy === null ? 'Given on the command line' : `Given by ${givenBy}`;

/** The second factors of a person in a few words. */
export function factorWords({ passkeys, authenticators }: Pick<StaffMember, 'passkeys' | 'authenticators'>): string {
  const keys = passkeys === 0 ? '' : passkeys === 1 ? 'Passkey' : `${passkeys} passkeys`;
  if (authenticators === 0) return keys || 'None';
  return keys === '' ? 'App only' : `${keys}, app`;
}

/** Returns the instant at which a chosen day begins or ends here; null for no day. What is no day stays as it is, and is refused. */
export function instantOf(day: string, of: 'begin' | 'end'): string | null {
  if (day === '') return null;
  const at = new Date(`${day}T${of === 'begin' ? '00:00:00' : '23:59:59'}`);
  return Number.isNaN(at.getTime()) ? day : at.toISOString();
}

/** Days ahead within which a person whose roles all end is leaving. */
const LEAVING_DAYS = 60;

/** The last day of a person whose roles all end soon, as an instant; null for others. */
export function leavesOn({ roles }: Pick<StaffMember, 'roles'>, now: Date): string | null {
  const ends = roles.flatMap(({ until }) => until ?? []);
  const last = ends.toSorted().at(-1);
  if (!last || ends.length < roles.length || Date.parse(last) > now.getTime() + LEAVING_DAYS * DAY_MS) return null;
  return last;
}
