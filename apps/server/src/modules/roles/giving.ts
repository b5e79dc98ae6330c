import { conflictInWords, staffPermissionWords } from '@portal/contract/staff-permission-words';
import { DAY_MS, instantAfter } from '@portal/contract/days';
import type { StaffPermission } from '@portal/contract';
import type { roles, Staff, StaffRole } from '@portal/contract/roles/roles';
import { sql } from 'kysely';
import { dayInWords } from '../../platform/day-words.ts';
import type { Change } from '../../platform/database/index.ts';
import { refuse, refuseField } from '../../platform/failure.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import type { Profile } from '../../profile.ts';
import { type Login, loginById, notifyPeople } from '../identity/index.ts';
import { allRoles, conflictWith, heldBy, type HeldRow, heldRoles, holdersOf, keptFrom, lockRoles, opensDesk } from './held-roles.ts';
import { secondPersons } from './second-persons.ts';
import { staffList } from './staff-list.ts';
import type { MailText } from '../mail/index.ts';
import { rolesTexts } from './mail-texts.ts';

type Given = { role: string; reason: string; startsAt?: string | null | undefined; until?: string | null | undefined };

/** A role that was given: its name with its days, and lines for notices that say the days and the permissions. */
export type GivenRole = { words: string; lines: readonly string[] };

/** Tells a person of registry staff what changed about their roles. */
export const notifyMember = (change: Change, person: Pick<Login, 'fullName' | 'email' | 'loginId'>, text: MailText) =>
  notifyPeople(change, { topic: 'login.security', accountName: null, text, path: '/desk/own-roles', act: 'View your roles' }, [person]);

/** Tells those who administer and audit staff, but for the two people concerned, what changed about roles. */
export async function notifyOverseers(change: Change, text: MailText, concerned: readonly (string | null)[]): Promise<void> {
  const others = (await holdersOf(change, ['staff', 'audit'], change.now)).filter(({ loginId }) => !concerned.includes(loginId));
  const notice = { topic: 'login.security', accountName: null, text, path: '/desk/staff', act: 'View staff and roles' } as const;
  if (others.length > 0) await notifyPeople(change, notice, others);
}

const inWords = new Intl.ListFormat('en', { type: 'conjunction' });

/** The permissions of a role, as a line of a notice. */
export const permissionLine = (permissions: readonly StaffPermission[]): string =>
  `Permissions: ${inWords.format(permissions.map(key => staffPermissionWords[key]))}.`;

/** From when and until when a role counts, as a line of a notice. */
const periodLine = ({ startsAt, until }: Pick<HeldRow, 'startsAt' | 'until'>): string =>
  `It counts from ${dayInWords(startsAt)}${until === null ? ', until it is withdrawn' : ` until ${dayInWords(until)}`}.`;

/** The words of a refusal for who can change the caller's own roles. */
export async function otherGivers(change: Change, loginId: string): Promise<string> {
  const others = (await holdersOf(change, ['staff'], change.now)).filter(each => each.loginId !== loginId);
  return others.length === 0 ? 'another administrator' : others.map(({ fullName }) => fullName).join(' or ');
}

/** A person of registry staff. @throws Failure NOT_FOUND, NOT_STAFF, OWN_ROLE for the caller */
export async function colleague(change: Change, loginId: string, caller: Caller): Promise<Login> {
  const login = await loginById(change, loginId);
  if (!login) throw refuse('NOT_FOUND', { what: 'This person' });
  if (login.loginId === caller.loginId) throw refuse('OWN_ROLE', { who: await otherGivers(change, caller.loginId) });
  if (!login.staff) throw refuse('NOT_STAFF', { who: login.fullName });
  return login;
}

/** A person who left can't sign in, and comes back by the operator. @throws Failure LEFT_STAFF */
export function refuseLeft({ staff, disabledAt, fullName, username }: Login): void {
  if (staff && disabledAt !== null) throw refuse('LEFT_STAFF', { who: fullName, username });
}

type Giver = {
  /** The giver; null for the command line and the groups of another provider. */
  by: string | null;
  /** The group of another provider that gives it. */
  group?: string;
  profile: Pick<Profile, 'staffConflicts' | 'staffConflictDays' | 'staffSecondPersonDays'>;
};
/** A state of the roles at an instant: of a change, or read before one. */
type At = Pick<Change, 'rows' | 'now'>;
type Checked = GivenRole & { role: StaffRole; startsAt: string; until: string | null };

/**
 * Checks whether a role can be given. Call `lockRoles` before it.
 * @param to null for a person without a login yet
 * @throws Failure NOT_FOUND, ROLE_HELD, ROLE_CONFLICT, ROLE_CONFLICT_UNTIL, GIVER_TOO_NEW, INVALID_REQUEST for a first day in the past, and a last day in the past or before the first
 */
export async function checkRole(
  change: At,
  to: Pick<Login, 'loginId' | 'fullName'> | null,
  { role: key, startsAt = null, until = null }: Given,
  { by, profile }: Giver,
): Promise<Checked> {
  const role = (await allRoles(change)).find(each => each.key === key);
  if (!role) throw refuse('NOT_FOUND', { what: 'This role' });
  const now = Date.parse(change.now);
  // Today began up to a day ago, wherever the giver is.
  if (startsAt !== null && Date.parse(startsAt) < now - DAY_MS)
    throw refuseField('startsAt', 'The first day is over. Choose today or a later day');
  const from = startsAt !== null && Date.parse(startsAt) > now ? new Date(startsAt).toISOString() : change.now;
  const end = until === null ? null : new Date(until).toISOString();
  if (end !== null && end <= change.now) throw refuseField('until', 'The last day is over. Choose today or a later day');
  if (end !== null && end <= from) throw refuseField('until', 'The last day is before the first. Choose a later one');
  if (to && by !== null) await refuseGivingBack(change, { giver: by, to }, profile.staffSecondPersonDays);
  if (to) await refuseConflict(change, to, { role, startsAt: from, until: end }, profile);
  return {
    role,
    startsAt: from,
    until: end,
    words: `${role.name}${from > change.now ? ` from ${dayInWords(from)}` : ''}${end === null ? '' : ` until ${dayInWords(end)}`}`,
    lines: [periodLine({ startsAt: from, until: end }), permissionLine(role.permissions)],
  };
}

/** @throws Failure ROLE_HELD, ROLE_CONFLICT, ROLE_CONFLICT_UNTIL */
async function refuseConflict(
  change: At,
  to: Pick<Login, 'loginId' | 'fullName'>,
  { role, startsAt, until }: Pick<Checked, 'role' | 'startsAt' | 'until'>,
  { staffConflicts, staffConflictDays: days }: Giver['profile'],
): Promise<void> {
  const held = await heldBy(change, to.loginId, change.now);
  if (held.some(each => each.role === role.key)) throw refuse('ROLE_HELD', { who: to.fullName, role: role.name });
  const others = await keptFrom(change, to.loginId, { now: change.now, days });
  const keepsUntil = until === null ? null : instantAfter(new Date(until), days * DAY_MS);
  const met = conflictWith({ permissions: role.permissions, startsAt, until: keepsUntil }, others, staffConflicts);
  if (!met) return;
  const conflict = conflictInWords(met.conflict);
  throw met.until === null
    ? refuse('ROLE_CONFLICT', { conflict, who: to.fullName })
    : refuse('ROLE_CONFLICT_UNTIL', { conflict, who: to.fullName, until: dayInWords(met.until) });
}

/** Gives a role. Call `lockRoles` before it. @throws Failure as `checkRole` */
export async function assignRole(change: Change, to: Pick<Login, 'loginId' | 'fullName'>, given: Given, giver: Giver): Promise<GivenRole> {
  const { role, startsAt, until, words, lines } = await checkRole(change, to, given, giver);
  // One that ended on its day makes room for the next.
  await change
    .updateTable('staffAssignment')
    .set({ withdrawnAt: sql<string>`until`, withdrawnReason: 'It ended on its last day' })
    .where('loginId', '=', to.loginId)
    .where('withdrawnAt', 'is', null)
    .where('until', '<=', change.now)
    .execute();
  await change
    .insertInto('staffAssignment')
    .values({
      loginId: to.loginId,
      ...(role.readyMade ? { readyMade: role.key } : { staffRoleId: Number(role.key) }),
      givenBy: giver.by,
      fromGroup: giver.group ?? null,
      givenAt: change.now,
      reason: given.reason,
      startsAt,
      until,
    })
    .execute();
  return { words, lines };
}

/** No one gets a right back from a colleague that they made. @throws Failure GIVER_TOO_NEW */
async function refuseGivingBack(
  change: At,
  { giver, to }: { giver: string; to: Pick<Login, 'loginId' | 'fullName'> },
  days: number,
): Promise<void> {
  const back = (await secondPersons(change, { now: change.now, days })).givesBack(giver, to.loginId);
  if (back) throw refuse('GIVER_TOO_NEW', { who: to.fullName, from: dayInWords(back.from) });
}

/** Gives a role to a colleague. @throws Failure LEFT_STAFF, and as `assignRole` and `colleague` */
export async function giveRole({ change, caller, params, body, registry }: Act<typeof roles.giveRole>): Promise<Staff> {
  await lockRoles(change);
  const person = await colleague(change, params.loginId, caller);
  refuseLeft(person);
  const { words: given, lines } = await assignRole(change, person, body, { by: caller.loginId, profile: registry.profile });
  await change.note({ person: person.fullName, role: given, reason: body.reason });
  await notifyMember(
    change,
    person,
    rolesTexts.written('roleGivenToYou', { role: given, actor: caller.name, roleFacts: lines.join('\n\n'), reason: body.reason }),
  );
  await notifyOverseers(
    change,
    rolesTexts.written('roleGiven', {
      fullName: person.fullName,
      email: person.email,
      role: given,
      actor: caller.name,
      roleFacts: lines.join('\n\n'),
      reason: body.reason,
    }),
    [caller.loginId, person.loginId],
  );
  return staffList(change, caller, registry);
}

/** @throws Failure LAST_ADMINISTRATOR if without these roles, or this person, no one could administer staff. Call `lockRoles` before it. */
export async function refuseLastAdministrator(
  change: At,
  person: Pick<Login, 'loginId' | 'fullName'>,
  isLost: (held: HeldRow) => boolean,
): Promise<void> {
  const held = await heldRoles(change, sql`l.staff and ${opensDesk} and a.starts_at <= ${change.now}::timestamptz`, change.now);
  const administers = held.filter(({ permissions }) => permissions.includes('staff'));
  // Who administers only until a day, or can't sign in, leaves no one behind.
  const stays = administers.filter(each => each.until === null && !(each.loginId === person.loginId && isLost(each)));
  const loses = administers.some(each => each.loginId === person.loginId && isLost(each));
  if (loses && stays.length === 0) throw refuse('LAST_ADMINISTRATOR', { who: person.fullName });
}

/** A role that was not withdrawn, with its person. @throws Failure NOT_FOUND, OWN_ROLE */
async function heldOf(change: Change, assignmentId: string, caller: Caller): Promise<HeldRow> {
  const [row] = /^[1-9]\d{0,17}$/.test(assignmentId)
    ? await heldRoles(change, sql`a.staff_assignment_id = ${assignmentId}::bigint`, change.now)
    : [];
  if (!row) throw refuse('NOT_FOUND', { what: 'This role of a person' });
  if (row.loginId === caller.loginId) throw refuse('OWN_ROLE', { who: await otherGivers(change, caller.loginId) });
  return row;
}

/** Ends roles of a person. @param by null for the command line */
export const withdraw = (change: Change, ids: readonly string[], by: string | null, reason: string) =>
  change
    .updateTable('staffAssignment')
    .set({ withdrawnAt: change.now, withdrawnBy: by, withdrawnReason: reason })
    .where('staffAssignmentId', 'in', ids.map(Number))
    .execute();

/** Withdraws a role from a colleague. @throws Failure NOT_FOUND, OWN_ROLE, LAST_ADMINISTRATOR */
export async function withdrawRole({ change, caller, params, body: { reason }, registry }: Act<typeof roles.withdrawRole>): Promise<Staff> {
  await lockRoles(change);
  const row = await heldOf(change, params.assignmentId, caller);
  await refuseLastAdministrator(change, row, each => each.assignmentId === row.assignmentId);
  await withdraw(change, [row.assignmentId], caller.loginId, reason);
  await change.note({ person: row.fullName, role: row.name, reason });
  const person = (await loginById(change, row.loginId))!;
  const lines = [`It counted from ${dayInWords(row.startsAt)}.`, permissionLine(row.permissions), `Reason: ${reason}`];
  await notifyMember(
    change,
    person,
    rolesTexts.written('roleWithdrawnFromYou', { role: row.name, actor: caller.name, roleFacts: lines.join('\n\n') }),
  );
  await notifyOverseers(
    change,
    rolesTexts.written('roleWithdrawn', {
      role: row.name,
      fullName: person.fullName,
      email: person.email,
      actor: caller.name,
      roleFacts: lines.join('\n\n'),
    }),
    [caller.loginId, person.loginId],
  );
  return staffList(change, caller, registry);
}

/** Keeps the roles of a colleague in the access review. @throws Failure NOT_FOUND, NOT_STAFF, OWN_ROLE */
export async function keepRoles({ change, caller, params, registry }: Act<typeof roles.keepRoles>): Promise<Staff> {
  const person = await colleague(change, params.loginId, caller);
  const held = await heldBy(change, person.loginId, change.now);
  if (held.length === 0) throw refuse('NOT_FOUND', { what: `A role of ${person.fullName}` });
  await change
    .updateTable('staffAssignment')
    .set({ reviewedAt: change.now, reviewedBy: caller.loginId })
    .where(
      'staffAssignmentId',
      'in',
      held.map(({ assignmentId }) => Number(assignmentId)),
    )
    .execute();
  await change.note({ person: person.fullName, roles: held.map(({ name }) => name) });
  return staffList(change, caller, registry);
}
