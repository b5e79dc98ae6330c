import type { AnswerOf, BodyOf } from '@portal/contract';
import type { Conference, conferences } from '@portal/contract/elections/conferences';
import { sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse, refuseFields } from '../../platform/failure.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { readApart, type ReadOf, senderOf } from '../../platform/reading-apart.ts';
import type { read as readAttendance } from './attendance-file-thread.ts';
import { type Attendee, conferencesBefore } from './eligibility.ts';

const counted = sql`conference, title, starts_on, (select count(*)::int from attendance a where a.conference = c.conference) as registered,
  (select count(*)::int from attendance a where a.conference = c.conference and attended) as attended`;

/** Conferences, the newest first. */
export const listConferences = async ({ read }: Act<typeof conferences.listConferences>): Promise<{ rows: Conference[] }> => ({
  rows: await read.rows<Conference>(
    sql`select ${counted} from conference c where counts order by starts_on desc, conference desc limit 200`,
  ),
});

const readConference = async (read: Read, conference: string): Promise<Conference | undefined> =>
  (await read.rows<Conference>(sql`select ${counted} from conference c where conference = ${conference}`))[0];

/** @throws Failure CONFERENCE_EXISTS */
export async function addConference({
  change,
  body: given,
}: {
  change: Change;
  body: BodyOf<typeof conferences.addConference>;
}): Promise<Conference> {
  const added = await change
    .insertInto('conference')
    .values(given)
    .onConflict(conflict => conflict.doNothing())
    .returning('conference')
    .executeTakeFirst();
  if (!added) throw refuse('CONFERENCE_EXISTS', { conference: given.conference });
  await change.note({ conference: given.conference });
  return (await readConference(change, given.conference))!;
}

/** Creates the attendance list of an event, or updates the title and day of an existing one. `counts`: whether it counts for attendees' votes. */
export async function keepConference(
  change: Change,
  { conference, title, startsOn, counts }: BodyOf<typeof conferences.addConference> & { counts: boolean },
): Promise<void> {
  await change
    .insertInto('conference')
    .values({ conference, title, startsOn, counts })
    .onConflict(conflict => conflict.column('conference').doUpdateSet({ title, startsOn, counts }))
    .execute();
}

/** Adds a person who registered in the portal to the list of an event. Existing entries stay unchanged. */
export async function listAttendee(
  change: Change,
  conference: string,
  { email, loginId }: { email: string; loginId: string },
): Promise<void> {
  await change
    .insertInto('attendance')
    .values({ conference, email: email.toLowerCase(), loginId, registeredAt: change.now, attended: false })
    .onConflict(conflict => conflict.doNothing())
    .execute();
}

/** Removes a person who cancelled from the list of an event, unless they attended. */
export async function unlistAttendee(change: Change, conference: string, loginId: string): Promise<void> {
  await change
    .deleteFrom('attendance')
    .where('conference', '=', conference)
    .where('loginId', '=', loginId)
    .where('attended', '=', false)
    .execute();
}

/** Reads a list of attendance in the thread for texts. */
export const attendanceApart = readApart<typeof readAttendance>(new URL('./attendance-file-thread.ts', import.meta.url));

type Importing = Act<typeof conferences.importAttendance>;

/** Reads the list of a call, before the change that stores it. @throws Failure INVALID_REQUEST, TOO_MANY_REQUESTS */
export const readAttendanceList = ({ caller, body: { csv } }: Omit<Importing, 'change'>): Promise<ReadOf<typeof readAttendance>> =>
  attendanceApart(senderOf({ caller }), csv, 'csv');

/** Replaces the whole list of a conference with the one of the call, as `replaceAttendance`. @throws Failure those of `replaceAttendance` */
export const importAttendance = (
  { change, params: { conference }, body }: Importing,
  list: ReadOf<typeof readAttendance>,
): Promise<AnswerOf<typeof conferences.importAttendance>> => replaceAttendance(change, conference, list, body);

/**
 * Replaces the whole list of a conference, a portion at a time. People whose address is a verified one of a login are linked to that
 * login, and stay linked when the login gets another address.
 * @throws Failure NOT_FOUND, INVALID_REQUEST with all errors, ATTENDANCE_SHRINKS if people would be removed without confirmation
 */
export async function replaceAttendance(
  change: Change,
  name: string,
  { portions, answer: { problems: found } }: ReadOf<typeof readAttendance>,
  { mayRemove }: Pick<BodyOf<typeof conferences.importAttendance>, 'mayRemove'>,
): Promise<AnswerOf<typeof conferences.importAttendance>> {
  await change.rows(sql`select conference from conference where conference = ${name} for no key update`);
  if (!(await readConference(change, name))) throw refuse('NOT_FOUND', { what: 'The conference' });
  const problems = found.length === 0 && portions.length === 0 ? ['the list is empty'] : found;
  if (problems.length > 0) throw refuseFields(problems.map(message => ({ field: 'csv', message })));
  const lists = portions.map(({ from, lines }, place) => ({
    list: sql`json_to_recordset(${lines}::json) as l (email text, "registeredAt" timestamptz, attended boolean)`,
    // Whose addresses are among those of the portion. The first and the last have those before and after the list as well.
    here: sql`a.conference = ${name} ${place === 0 ? sql`` : sql`and a.email collate "C" >= ${from}`}
      ${place === portions.length - 1 ? sql`` : sql`and a.email collate "C" < ${portions[place + 1]!.from}`}`,
  }));
  const some: string[] = [];
  let removed = 0;
  for (const { list, here } of lists) {
    const [gone] = await change.rows<{ count: number; some: string[] }>(sql`
      select count(*)::int as count, coalesce((array_agg(a.email order by a.email))[1:3], '{}') as some
      from attendance a where ${here} and not exists (select from ${list} where l.email = a.email)`);
    removed += gone!.count;
    some.push(...gone!.some);
  }
  if (removed > 0 && !mayRemove) {
    const named = some.slice(0, 3);
    throw refuse('ATTENDANCE_SHRINKS', {
      count: removed === 1 ? 'One person' : `${removed} people`,
      are: removed === 1 ? 'is' : 'are',
      some: removed > named.length ? `${named.join(', ')} and others` : named.join(', '),
    });
  }
  let [added, changed] = [0, 0];
  for (const { list, here } of lists) {
    if (removed > 0)
      await change.rows(sql`delete from attendance a where ${here} and not exists (select from ${list} where l.email = a.email)`);
    const [updated] = await change.rows<{ count: number }>(sql`with changed as (
      update attendance a set registered_at = l."registeredAt", attended = l.attended from ${list}
      where a.conference = ${name} and a.email = l.email and (a.registered_at, a.attended) is distinct from (l."registeredAt", l.attended) returning 1)
      select count(*)::int as count from changed`);
    const [inserted] = await change.rows<{ count: number }>(sql`with added as (
      insert into attendance (conference, email, login_id, registered_at, attended)
      select ${name}, l.email, (select login_id from login where lower(login.email) = l.email and email_verified), l."registeredAt", l.attended from ${list}
      on conflict do nothing returning 1)
      select count(*)::int as count from added`);
    changed += updated!.count;
    added += inserted!.count;
  }
  await change.note({ conference: name, added, changed, removed });
  const conference = (await readConference(change, name))!;
  return { conference, added, changed, removed };
}

/** Returns a person's entries: the current conference, and earlier ones that count. */
export async function attendeeOf(read: Read, { loginId, mfa }: Caller, conference: string): Promise<Omit<Attendee, 'onRoll' | 'votedAt'>> {
  const [row] = await read.rows<Omit<Attendee, 'mfa' | 'onRoll' | 'votedAt'>>(sql`
    with own as (
      select conference, min(registered_at) as registered_at, bool_or(attended) as attended from attendance
      where login_id = ${loginId}
        or (login_id is null and email = (select lower(email) from login where login_id = ${loginId} and email_verified))
      group by conference
    )
    select c.title as conference, o.registered_at,
      (select count(*)::int from (select p.conference from conference p where p.counts and (p.starts_on, p.conference) < (c.starts_on, c.conference)
        order by p.starts_on desc, p.conference desc limit ${conferencesBefore}) earlier join own using (conference) where own.attended) as attended_before
    from conference c left join own o using (conference) where c.conference = ${conference}`);
  return { ...row!, mfa };
}
