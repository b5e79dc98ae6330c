import { sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { dayInWords } from '../../platform/day-words.ts';
import { Failure } from '../../platform/failure.ts';
import type { Profile } from '../../profile.ts';
import { type Login, loginById, makeStaff, type PersonGroups } from '../identity/index.ts';
import { assignRole, checkRole, notifyMember, notifyOverseers, permissionLine, refuseLastAdministrator, withdraw } from './giving.ts';
import { allRoles, heldBy, type HeldRow, lockRoles } from './held-roles.ts';
import { rolesTexts } from './mail-texts.ts';

/** A group of the provider that gives a role, as `STAFF_GROUPS` pairs them. */
type Pair = { group: string; role: string };
/** A pair that the newest token of a person named. */
type Row = { groupName: string; givenRole: string; since: string; refused: string | null };
type Policy = Pick<Profile, 'staffConflicts' | 'staffConflictDays' | 'staffSecondPersonDays'>;
type At = Pick<Read, 'rows'> & { now: string };

const rowsOf = (read: Pick<Read, 'rows'>, loginId: string): Promise<Row[]> =>
  read.rows<Row>(
    sql`select group_name, given_role, since, refused from staff_group where login_id = ${loginId} order by since, group_name, given_role`,
  );
const isOf =
  ({ group, role }: Pair) =>
  (row: Row): boolean =>
    row.groupName === group && row.givenRole === role;

/** The sentence of a refusal; null without one. */
async function refusalOf(check: () => Promise<unknown>): Promise<string | null> {
  try {
    await check();
    return null;
  } catch (error) {
    if (error instanceof Failure) return error.words;
    throw error;
  }
}

/** The role that a group gave a person, where it wasn't withdrawn. */
const givenBy = (held: readonly HeldRow[], { groupName, givenRole }: Row): HeldRow | undefined =>
  held.find(({ role, group }) => role === givenRole && group === groupName);

/** The sentence that says why a group gives a person no role; null where it does. What a colleague or the operator withdrew stays so until the person comes back to the group. */
async function whyNot(
  read: At,
  person: Login,
  { pair: { role }, since }: { pair: Pair; since: string },
  profile: Policy,
): Promise<string | null> {
  const [ended] = await read.rows<{ withdrawnAt: string; by: string | null }>(sql`
    select a.withdrawn_at, l.full_name as by from staff_assignment a left join login l on l.login_id = a.withdrawn_by
    where a.login_id = ${person.loginId} and coalesce(a.ready_made, a.staff_role_id::text) = ${role}
      and a.withdrawn_at >= ${since}::timestamptz and a.withdrawn_at is distinct from a.until
    order by a.withdrawn_at desc limit 1`);
  if (ended)
    return `${ended.by ?? 'The operator'} withdrew it on ${dayInWords(ended.withdrawnAt)}. It comes back when ${person.fullName} left the group and joined it again`;
  return refusalOf(() => checkRole(read, person, { role, reason: '' }, { by: null, profile }));
}

/** The sentence that says why a role stays although its group was taken away; null where it goes. */
const whyKept = (read: At, person: Login, { assignmentId }: HeldRow): Promise<string | null> =>
  refusalOf(() => refuseLastAdministrator(read, person, each => each.assignmentId === assignmentId)).then(
    kept => kept && `No longer in the group, but the role stays: ${kept}`,
  );

/** Changes by the groups of a person, in words. */
class Changes {
  readonly given: string[] = [];
  readonly withdrawn: string[] = [];
  readonly refused: string[] = [];
  readonly lines: string[] = [];
}

/**
 * Roles by the groups of another provider (decision 256): a role counts from the first token that names its group to the first that doesn't. Groups take no role away that a person or the
 * command line gave, never the last administrator, and never bring back what was withdrawn here.
 */
export function rolesOfGroups(pairs: readonly Pair[], profile: Policy): PersonGroups {
  const wantedOf = (groups: readonly string[]): readonly Pair[] => pairs.filter(({ group }) => groups.includes(group));
  return {
    async differ(read, loginId, { groups, now }) {
      const wanted = wantedOf(groups);
      const rows = await rowsOf(read, loginId);
      if (wanted.length === 0 && rows.length === 0) return false;
      if (wanted.some(pair => !rows.some(isOf(pair)))) return true;
      const at = { rows: read.rows.bind(read), now };
      const [person, held] = await Promise.all([loginById(read, loginId), heldBy(read, loginId, now)]);
      for (const row of rows) {
        const pair = wanted.find(each => isOf(each)(row));
        const given = givenBy(held, row);
        const isHeld = held.some(({ role }) => role === row.givenRole);
        if (!pair) {
          const kept = given ? await whyKept(at, person!, given) : null;
          if (kept === null || kept !== row.refused) return true;
        } else if (
          (isHeld ? null : await whyNot(at, person!, { pair, since: row.since }, profile)) !== row.refused ||
          (!isHeld && row.refused === null)
        )
          return true;
      }
      return false;
    },

    async apply(change, loginId, { groups }) {
      await lockRoles(change);
      const person = (await loginById(change, loginId))!;
      const wanted = wantedOf(groups);
      const changes = new Changes();
      for (const row of await rowsOf(change, loginId))
        if (!wanted.some(pair => isOf(pair)(row))) await leaveGroup(change, person, { row, wanted }, changes);
      for (const pair of wanted) await joinGroup(change, person, { pair, profile }, changes);
      await change.note({
        person: person.fullName,
        ...(changes.given.length > 0 && { given: changes.given }),
        ...(changes.withdrawn.length > 0 && { withdrawn: changes.withdrawn }),
        ...(changes.refused.length > 0 && { refused: changes.refused }),
      });
      await report(change, person, changes);
    },
  };
}

const setRefused = (change: Change, loginId: string, { groupName, givenRole }: Row, refused: string | null) =>
  change
    .updateTable('staffGroup')
    .set({ refused })
    .where('loginId', '=', loginId)
    .where('groupName', '=', groupName)
    .where('givenRole', '=', givenRole)
    .execute();

/** Ends what a group gave that the newest token doesn't name, unless another group of the person gives the same or no one would administer staff. */
async function leaveGroup(
  change: Change,
  person: Login,
  { row, wanted }: { row: Row; wanted: readonly Pair[] },
  changes: Changes,
): Promise<void> {
  const given = givenBy(await heldBy(change, person.loginId, change.now), row);
  const other = wanted.find(({ role }) => role === row.givenRole);
  const kept = given && !other ? await whyKept(change, person, given) : null;
  if (kept !== null) {
    if (kept === row.refused) return;
    await setRefused(change, person.loginId, row, kept);
    changes.refused.push(`${given!.name} (${row.groupName})`);
    changes.lines.push(`${given!.name}, by the group ${row.groupName}: ${kept}.`);
    return;
  }
  await change
    .deleteFrom('staffGroup')
    .where('loginId', '=', person.loginId)
    .where('groupName', '=', row.groupName)
    .where('givenRole', '=', row.givenRole)
    .execute();
  if (!given) return;
  if (other) {
    await change
      .updateTable('staffAssignment')
      .set({ fromGroup: other.group })
      .where('staffAssignmentId', '=', Number(given.assignmentId))
      .execute();
    return;
  }
  await withdraw(change, [given.assignmentId], null, `No longer in the group ${row.groupName}`.slice(0, 500));
  changes.withdrawn.push(given.name);
  changes.lines.push(
    `${given.name} was withdrawn: ${person.fullName} is no longer in the group ${row.groupName}. ${permissionLine(given.permissions)}`,
  );
}

/** Gives the role of a group that the newest token names, or writes down why not. */
async function joinGroup(
  change: Change,
  person: Login,
  { pair, profile }: { pair: Pair; profile: Policy },
  changes: Changes,
): Promise<void> {
  const { group, role } = pair;
  const known = (await rowsOf(change, person.loginId)).find(isOf(pair));
  const row = known ?? { groupName: group, givenRole: role, since: change.now, refused: null };
  if (!known)
    await change
      .insertInto('staffGroup')
      .values({ loginId: person.loginId, ...row })
      .execute();
  const held = await heldBy(change, person.loginId, change.now);
  if (held.some(each => each.role === role)) {
    if (row.refused !== null) await setRefused(change, person.loginId, row, null);
    return;
  }
  const refused = await whyNot(change, person, { pair, since: row.since }, profile);
  if (refused !== null) {
    if (refused === row.refused) return;
    await setRefused(change, person.loginId, row, refused);
    const name = (await allRoles(change)).find(({ key }) => key === role)?.name ?? role;
    changes.refused.push(`${name} (${group})`);
    changes.lines.push(`${name}, by the group ${group}, was not given: ${refused}.`);
    return;
  }
  if (row.refused !== null) await setRefused(change, person.loginId, row, null);
  if (!person.staff) await makeStaff(change, person.loginId);
  person.staff = true;
  const given = await assignRole(
    change,
    person,
    { role, reason: `In the group ${group} of the identity provider` },
    { by: null, group, profile },
  );
  changes.given.push(given.words);
  changes.lines.push(`${given.words} was given: ${person.fullName} is in the group ${group}. ${given.lines.join(' ')}`);
}

async function report(change: Change, person: Login, { given, withdrawn, lines }: Changes): Promise<void> {
  if (lines.length === 0) return;
  if (given.length > 0 || withdrawn.length > 0)
    await notifyMember(change, person, rolesTexts.written('groupsChangedYourRoles', { roleFacts: lines.join('\n\n') }));
  await notifyOverseers(
    change,
    rolesTexts.written('groupsChangedRoles', {
      fullName: person.fullName,
      roleFacts: lines.join('\n\n'),
      noRoleLeft:
        withdrawn.length > 0 && (await heldBy(change, person.loginId, change.now)).length === 0
          ? `${person.fullName} (${person.email}) has no role left. End the access on the page of staff, which hands open cases to a colleague.`
          : '',
    }),
    [person.loginId],
  );
}
