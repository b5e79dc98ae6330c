import { type StaffPermission, staffPermissionKeys } from '@portal/contract';
import { type Conflict, type ReadyMadeRole, readyMadeRoleKeys, readyMadeRoles, type RoleValue } from '@portal/contract/staff-roles';
import type { StaffRole } from '@portal/contract/roles/roles';
import { type RawBuilder, sql } from 'kysely';
import { type Change, lockByName, type Read } from '../../platform/database/index.ts';

/** A role in one pair of hands, as stored. */
export type HeldRow = {
  assignmentId: string;
  loginId: string;
  fullName: string;
  role: string;
  name: string;
  permissions: readonly StaffPermission[];
  startsAt: string;
  until: string | null;
  /** Who gave it, by name and login; null for the command line, and for the groups of another provider. */
  givenBy: string | null;
  giverId: string | null;
  /** The group of another provider that gave it, and takes it away; null for all others. */
  group: string | null;
  givenAt: string;
  reason: string;
  reviewedAt: string | null;
  reviewedBy: string | null;
};
type Stored = Omit<HeldRow, 'role' | 'name' | 'permissions'> & {
  readyMade: string | null;
  ownRole: string | null;
  ownName: string | null;
  ownPermissions: string[] | null;
};

const isReadyMade = (key: string): key is ReadyMadeRole => (readyMadeRoleKeys as readonly string[]).includes(key);
/** Permissions that no release knows any more count for nothing. */
const known = (keys: readonly string[]): StaffPermission[] => staffPermissionKeys.filter(key => keys.includes(key));
const valueOf = ({ readyMade, ownName, ownPermissions }: Stored): RoleValue =>
  readyMade === null
    ? { name: ownName!, permissions: known(ownPermissions!) }
    : isReadyMade(readyMade)
      ? readyMadeRoles[readyMade]
      : { name: readyMade, permissions: [] };

/** Roles that weren't withdrawn, of these people, oldest first: those that count now, and those that begin later. */
export const heldRoles = (read: Pick<Read, 'rows'>, where: RawBuilder<unknown>, now: string): Promise<HeldRow[]> =>
  rolesWhere(read, sql`a.withdrawn_at is null and (a.until is null or a.until > ${now}::timestamptz) and ${where}`, sql`a.until`);

/** All roles that registry staff were ever given and that had begun, also those that ended since: `until` is when they ended. */
export const rolesEver = (read: Pick<Read, 'rows'>): Promise<HeldRow[]> =>
  rolesWhere(
    read,
    sql`least(a.until, a.withdrawn_at) is null or least(a.until, a.withdrawn_at) > a.starts_at`,
    sql`least(a.until, a.withdrawn_at)`,
  );

/**
 * The roles of a person that keep others from them: those of `heldBy`, and those that counted and ended at most so many days ago. Each lasts so many days longer, so that
 * a pair that policy keeps apart can't be held by turns.
 */
export const keptFrom = (read: Pick<Read, 'rows'>, loginId: string, { now, days }: { now: string; days: number }): Promise<HeldRow[]> => {
  const ended = sql`least(a.until, a.withdrawn_at)`;
  const longer = sql`${ended} + make_interval(days => ${days}::integer)`;
  return rolesWhere(
    read,
    sql`${ofLogin(loginId)} and (${ended} is null or (${ended} > a.starts_at and ${longer} > ${now}::timestamptz))`,
    longer,
  );
};

async function rolesWhere(read: Pick<Read, 'rows'>, where: RawBuilder<unknown>, until: RawBuilder<unknown>): Promise<HeldRow[]> {
  const rows = await read.rows<Stored>(sql`
    select a.staff_assignment_id::text as assignment_id, a.login_id, l.full_name, a.ready_made, a.staff_role_id::text as own_role, r.name as own_name,
      r.permissions as own_permissions, a.starts_at, ${until} as until, g.full_name as given_by, a.given_by as giver_id, a.from_group as "group", a.given_at, a.reason, a.reviewed_at, v.full_name as reviewed_by
    from staff_assignment a join login l on l.login_id = a.login_id left join staff_role r using (staff_role_id)
      left join login g on g.login_id = a.given_by left join login v on v.login_id = a.reviewed_by
    where ${where}
    order by a.starts_at, a.staff_assignment_id`);
  return rows.map(stored => {
    const { readyMade, ownRole, ownName: _name, ownPermissions: _permissions, ...row } = stored;
    return { ...row, role: readyMade ?? ownRole!, ...valueOf(stored) };
  });
}

const ofLogin = (loginId: string): RawBuilder<unknown> => sql`a.login_id = ${loginId}`;
export const permissionsIn = (rows: readonly HeldRow[]): Set<StaffPermission> => new Set(rows.flatMap(({ permissions }) => permissions));
/** The roles of one person, those that begin later as well. */
export const heldBy = (read: Pick<Read, 'rows'>, loginId: string, now: string): Promise<HeldRow[]> =>
  heldRoles(read, ofLogin(loginId), now);

/** Returns the permissions that the roles of a person give at this moment, from the database on every call; none for those who are not staff. */
export async function staffPermissionsOf(read: Pick<Read, 'rows'>, loginId: string, now: Date): Promise<ReadonlySet<StaffPermission>> {
  const at = now.toISOString();
  return permissionsIn(await heldRoles(read, sql`${ofLogin(loginId)} and l.staff and a.starts_at <= ${at}::timestamptz`, at));
}

/** A person of registry staff. */
type Holder = { loginId: string; fullName: string; email: string };

/** SQL: login `l` can open the desk: neither disabled nor frozen, and with a second factor of the registry's own or an identity provider, which asks for its own. */
export const opensDesk: RawBuilder<boolean> = sql<boolean>`(l.disabled_at is null and l.frozen_at is null and (
  exists (select from login_passkey k where k.login_id = l.login_id) or exists (select from login_subject s where s.login_id = l.login_id)
  or (exists (select from login_password p where p.login_id = l.login_id)
    and exists (select from login_totp t where t.login_id = l.login_id and t.disabled_at is null))))`;

/** People of registry staff who can sign in and hold one of these permissions at this moment, by name. */
export async function holdersOf(read: Pick<Read, 'rows'>, needed: readonly StaffPermission[], now: string): Promise<Holder[]> {
  const held = await heldRoles(read, sql`l.staff and ${opensDesk} and a.starts_at <= ${now}::timestamptz`, now);
  const ids = [...new Set(held.filter(({ permissions }) => permissions.some(each => needed.includes(each))).map(({ loginId }) => loginId))];
  if (ids.length === 0) return [];
  return read.rows<Holder>(
    sql`select login_id, full_name, email from login where login_id = any (${ids}::text[]) order by full_name, login_id`,
  );
}

/** Locks who holds which role until the change ends, so that two changes at the same time can't leave the registry without an administrator. */
export const lockRoles = (change: Change): Promise<void> => lockByName(change, 'roles.staff');

/** All roles: the ready-made ones, and those of the registry by name. */
export async function allRoles(read: Pick<Read, 'rows'>): Promise<StaffRole[]> {
  const own = await read.rows<{ key: string; name: string; permissions: string[] }>(
    sql`select staff_role_id::text as key, name, permissions from staff_role where ended_at is null order by lower(name)`,
  );
  return [
    ...readyMadeRoleKeys.map(key => ({ key, ...readyMadeRoles[key], permissions: [...readyMadeRoles[key].permissions], readyMade: true })),
    ...own.map(each => ({ ...each, permissions: known(each.permissions), readyMade: false })),
  ];
}

/** Whether two roles count at a common instant. */
const meet = (one: Pick<HeldRow, 'startsAt' | 'until'>, other: Pick<HeldRow, 'startsAt' | 'until'>): boolean =>
  (one.until === null || other.startsAt < one.until) && (other.until === null || one.startsAt < other.until);

/** A conflict, and the instant from which it is none, where it ends: the role that it is with has ended, or will. */
type Met = { conflict: Conflict; until: string | null };

/** Returns the first conflict that a role brings to what keeps others from a person in the same time; null without one. */
export function conflictWith(
  given: Pick<HeldRow, 'permissions' | 'startsAt' | 'until'>,
  held: readonly HeldRow[],
  conflicts: readonly Conflict[],
): Met | null {
  const meeting = held.filter(each => meet(each, given));
  const beside = new Set<string>([...given.permissions, ...meeting.flatMap(({ permissions }) => permissions)]);
  const conflict = conflicts.find(({ one, other }) => beside.has(one) && beside.has(other));
  if (!conflict) return null;
  const ends = meeting
    .filter(({ permissions }) => permissions.some(each => each === conflict.one || each === conflict.other))
    .map(({ until }) => until);
  return { conflict, until: ends.length === 0 || ends.includes(null) ? null : ends.reduce((last, end) => (end! > last! ? end : last)) };
}
