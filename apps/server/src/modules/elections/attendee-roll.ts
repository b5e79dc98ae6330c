import { sql } from 'kysely';
import { type Change, type Database, ownActivity, type Read } from '../../platform/database/index.ts';
import { eachAlone } from '../../platform/each-alone.ts';
import { lockElection } from './election-row.ts';
import { conferencesBefore } from './eligibility.ts';

/**
 * Freezes who can vote as an attendee, once: those registered for the conference in time who came to one of the eight before it. Later imports change
 * nothing. People who voted before it was frozen stay on it.
 * @returns how many people are on the roll; null if it was frozen before
 */
async function freezeAttendeeRoll(change: Change, electionId: string): Promise<number | null> {
  const election = await lockElection(change, electionId, new Date(change.now));
  const frozen = await change
    .updateTable('election')
    .set({ attendeesFrozenAt: change.now })
    .where('electionId', '=', Number(electionId))
    .where('attendeesFrozenAt', 'is', null)
    .returning('electionId')
    .executeTakeFirst();
  if (!frozen) return null;
  const rows = await change.rows(sql`
    with counted as (select p.conference from conference p, conference c where c.conference = ${election.conference} and p.counts
        and (p.starts_on, p.conference) < (c.starts_on, c.conference) order by p.starts_on desc, p.conference desc limit ${conferencesBefore}),
      listed as (select a.email, coalesce(a.login_id, l.login_id) as login_id from attendance a
        left join login l on a.login_id is null and lower(l.email) = a.email and l.email_verified
        where a.conference = ${election.conference} and a.registered_at <= ${election.registrationCutOff}::timestamptz),
      entitled as (select distinct on (coalesce(i.login_id, i.email)) i.email, i.login_id from listed i left join login l on l.login_id = i.login_id
        where exists (select from attendance b where b.conference in (select conference from counted) and b.attended and (b.login_id = i.login_id
          or (b.login_id is null and b.email = case when i.login_id is null then i.email when l.email_verified then lower(l.email) end)))
        order by coalesce(i.login_id, i.email), i.email),
      voted as (select lower(l.email) as email, v.login_id from attendee_vote v join login l using (login_id)
        where v.election_id = ${Number(electionId)} and not exists (select from entitled e where e.login_id = v.login_id))
    insert into attendee_roll (election_id, email, login_id) select ${Number(electionId)}, * from (table entitled union all table voted) r
    on conflict do nothing returning email`);
  await change.note({ election: election.title, people: rows.length });
  return rows.length;
}

/** Freezes the rolls of attendees whose voting has opened and whose registration is over; safe to run again at any moment. */
export async function freezeAttendees(db: Database, now: Date): Promise<void> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const due = await db.read.rows<{ electionId: string }>(sql`
    select e.election_id::text as election_id from election e join election_window w on w.election_id = e.election_id and w.kind = 'attendee-vote'
    where e.state = 'published' and e.attendees_frozen_at is null and w.opens_at <= ${at} and e.registration_cut_off <= ${at} and w.closes_at > ${at}`);
  await eachAlone(
    due,
    ({ electionId }) => `election ${electionId}`,
    ({ electionId }) =>
      db.change(ownActivity('elections.freezeRoll', 'Froze who votes as an attendee'), async change => {
        await freezeAttendeeRoll(change, electionId);
      }),
  );
}

/** A person's state in an election of attendees. */
type AttendeeInElection = {
  electionId: string;
  /** Whether the person is on the frozen roll; null before it is frozen. */
  onRoll: boolean | null;
  votedAt: string | null;
};

/** SQL: whether the roll's row `r` belongs to a login, by its id or else its verified address. */
export const isOwnRow = (loginId: string) =>
  sql`(r.login_id = ${loginId} or (r.login_id is null and r.email = (select lower(l.email) from login l where l.login_id = ${loginId} and l.email_verified)))`;

/** Returns a person's state in each of these elections. */
export async function attendeeInElections(
  read: Read,
  loginId: string,
  electionIds: readonly string[],
): Promise<Map<string, AttendeeInElection>> {
  if (electionIds.length === 0) return new Map();
  const rows = await read.rows<AttendeeInElection>(sql`
    select e.election_id::text as election_id, v.cast_at as voted_at,
      case when e.attendees_frozen_at is not null then exists (select from attendee_roll r where r.election_id = e.election_id and ${isOwnRow(loginId)}) end as on_roll
    from election e left join attendee_vote v on v.election_id = e.election_id and v.generation = e.generation and v.login_id = ${loginId}
    where e.election_id = any (${electionIds.map(Number)}::bigint[])`);
  return new Map(rows.map(row => [row.electionId, row]));
}
