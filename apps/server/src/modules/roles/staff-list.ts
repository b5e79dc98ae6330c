import type { AnswerOf } from '@portal/contract';
import { DAY_MS, instantAfter, instantBefore, utcDay } from '@portal/contract/days';
import type { HeldRole, roles, Staff, StaffMember } from '@portal/contract/roles/roles';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import type { Registry } from '../../platform/registry.ts';
import type { Profile } from '../../profile.ts';
import { allRoles, heldBy, type HeldRow, heldRoles, holdersOf, permissionsIn } from './held-roles.ts';
import { groupRefusals, groupRoles } from './group-list.ts';
import { openInvitations } from './open-invitations.ts';
import { openCasesOf } from './staff-cases.ts';

/** Days of the picture of how much a person worked. */
const DAYS = 20;

/** The quarter of the calendar that an instant lies in (UTC): its name, first instant and last day. */
function quarterOf(now: Date): { quarter: string; since: string; until: string } {
  const year = now.getUTCFullYear();
  const place = Math.floor(now.getUTCMonth() / 3);
  const day = (month: number, date: number): string => new Date(Date.UTC(year, month, date)).toISOString();
  return { quarter: `Q${place + 1} ${year}`, since: day(place * 3, 1), until: utcDay(day(place * 3 + 3, 0)) };
}

/** A role is reviewed in each quarter but the one in which it was given. */
const isDue = ({ givenAt, reviewedAt }: HeldRow, now: Date): boolean => {
  const { since } = quarterOf(now);
  return givenAt < since && (reviewedAt === null || reviewedAt < since);
};

const heldRole = (row: HeldRow, now: Date, { staffSecondPersonDays: days }: Pick<Profile, 'staffSecondPersonDays'>): HeldRole => {
  const { loginId: _login, fullName: _name, permissions: _permissions, giverId, ...role } = row;
  const from = instantAfter(row.givenAt, days * DAY_MS);
  return {
    ...role,
    isDue: isDue(row, now),
    secondFrom: (giverId !== null || row.group !== null) && from > now.toISOString() ? from : null,
  };
};

type Row = Omit<StaffMember, 'isMe' | 'openCases' | 'roles' | 'groupRefusals'>;
const membersOf = (read: Pick<Read, 'rows'>, now: Date): Promise<Row[]> =>
  read.rows<Row>(sql`
    select l.login_id, l.username, l.full_name, l.email, l.disabled_at is not null as disabled, l.frozen_at is not null as frozen,
      not exists (select from login_password p where p.login_id = l.login_id) and not exists (select from login_subject s where s.login_id = l.login_id)
        and not exists (select from login_passkey k where k.login_id = l.login_id) as is_invited,
      (select count(*)::int from login_passkey k where k.login_id = l.login_id) as passkeys,
      (select count(*)::int from login_totp t where t.login_id = l.login_id and t.disabled_at is null) as authenticators,
      greatest(l.last_sign_in_at, (select max(greatest(s.started_at, u.used_at)) from session s left join session_use u using (sid) where s.login_id = l.login_id)) as last_used_at,
      (select count(*)::int from session s where s.login_id = l.login_id and s.ended_at is null and s.until > ${now.toISOString()}::timestamptz) as sessions,
      (select coalesce(array_agg(coalesce(begun.sessions, 0) order by day), '{}') from generate_series(0, ${DAYS - 1}) day left join (
          select ${DAYS - 1} - floor(extract(epoch from ${now.toISOString()}::timestamptz - s.started_at) / 86400)::int as day, count(*)::int as sessions
          from session s where s.login_id = l.login_id and s.started_at > ${instantBefore(now, DAYS * DAY_MS)}::timestamptz group by 1
        ) begun using (day)) as sign_ins
    from login l where l.staff order by l.disabled_at is not null, l.full_name, l.login_id limit 500`);

/** Registry staff as the page of staff shows them. */
export async function staffList(
  read: Read,
  { loginId }: Pick<Caller, 'loginId'>,
  { now, profile, modules, config }: Pick<Registry, 'now' | 'profile' | 'modules' | 'config'>,
): Promise<Staff> {
  const [rows, held, roleList, cases, invitations] = await Promise.all([
    membersOf(read, now),
    heldRoles(read, sql`l.staff`, now.toISOString()),
    allRoles(read),
    openCasesOf(read, modules),
    openInvitations(read, now),
  ]);
  const refusals = await groupRefusals(read, roleList);
  const members = rows.map(row => ({
    ...row,
    isMe: row.loginId === loginId,
    openCases: cases.get(row.loginId) ?? 0,
    roles: held.filter(each => each.loginId === row.loginId).map(each => heldRole(each, now, profile)),
    groupRefusals: refusals.get(row.loginId) ?? [],
  }));
  const { quarter, until } = quarterOf(now);
  const due = members.flatMap(({ roles: each }) => each).filter(({ isDue: waits }) => waits).length;
  return {
    members,
    invitations,
    roles: roleList,
    conflicts: [...profile.staffConflicts],
    groups: groupRoles(config.staffGroups, roleList),
    secondPersonDays: profile.staffSecondPersonDays,
    review: { quarter, until, due },
  };
}

export const listStaff = ({ read, caller, registry }: Act<typeof roles.listStaff>): Promise<Staff> => staffList(read, caller, registry);

/** The caller's own roles, and who gives roles. */
export async function getOwnRoles({
  read,
  caller,
  registry: { now, profile },
}: Act<typeof roles.getOwnRoles>): Promise<AnswerOf<typeof roles.getOwnRoles>> {
  const at = now.toISOString();
  const [held, givers] = await Promise.all([heldBy(read, caller.loginId, at), holdersOf(read, ['staff'], at)]);
  const current = held.filter(({ startsAt }) => startsAt <= at);
  return {
    roles: held.map(each => heldRole(each, now, profile)),
    permissions: [...permissionsIn(current)],
    givers: givers.filter(each => each.loginId !== caller.loginId).map(({ fullName }) => fullName),
  };
}
