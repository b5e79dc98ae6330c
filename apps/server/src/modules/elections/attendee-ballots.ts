import type { AnswerOf } from '@portal/contract';
import type { ballots } from '@portal/contract/elections/ballots';
import type { AttendeeVote, voting } from '@portal/contract/elections/voting';
import { sql } from 'kysely';
import { lockByName } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { attendeeOf } from './attendance.ts';
import { attendeeInElections, isOwnRow } from './attendee-roll.ts';
import { addressOf, ballotEnds, openSession, requireOptions } from './ballots.ts';
import { readElection, resultsOf } from './election-row.ts';
import { attendeeEligibility, whyNot } from './eligibility.ts';

/**
 * Opens the ballot of an attendee: one person, one vote, without an account. The caller's eligibility is checked again completely. @throws Failure
 * NOT_FOUND, ATTENDEE_VOTED, BALLOT_CLOSED with the reason
 */
export async function openAttendeeBallot({
  change,
  caller,
  params: { electionId },
  registry: { now, config },
}: Act<typeof ballots.openAttendeeBallot>): Promise<AnswerOf<typeof ballots.openAttendeeBallot>> {
  const election = await readElection(change, electionId, now);
  const window = election.windows.find(({ kind }) => kind === 'attendee-vote');
  const { conference, registrationCutOff } = election;
  if (election.publishedAt === null || !window || conference === null || registrationCutOff === null)
    throw refuse('NOT_FOUND', { what: 'The election' });
  if (election.state === 'cancelled') throw refuse('BALLOT_CLOSED', { why: 'the election is cancelled' });
  // Two browser windows of one person are one voter.
  await lockByName(change, `elections.attendee-${election.electionId}-${caller.loginId}`);
  const inElection = (await attendeeInElections(change, caller.loginId, [election.electionId])).get(election.electionId)!;
  if (inElection.votedAt !== null) throw refuse('ATTENDEE_VOTED');
  const attendee = { ...(await attendeeOf(change, caller, conference)), ...inElection };
  const eligibility = attendeeEligibility(attendee, registrationCutOff, window);
  if (eligibility.reason !== null) throw refuse('BALLOT_CLOSED', { why: whyNot(eligibility) });
  if (window.url === '') await requireOptions(change, election.electionId);
  await change.rows(sql`update attendee_roll r set login_id = ${caller.loginId}
    where r.election_id = ${Number(election.electionId)} and r.login_id is null and ${isOwnRow(caller.loginId)}
      and not exists (select from attendee_roll o where o.election_id = r.election_id and o.login_id = ${caller.loginId})`);
  const session = await openSession(change, {
    electionId: election.electionId,
    generation: election.generation,
    accountName: null,
    loginId: caller.loginId,
    castAs: 'attendee',
    contactId: null,
    voterName: caller.name,
    votes: 1,
    openedAt: now.toISOString(),
    expiresAt: ballotEnds(now, window),
  });
  await change.note({ election: election.title });
  return { url: addressOf(session, window.url, config), expiresAt: session.expiresAt };
}

/** Votes that a person cast as an attendee, newest first. */
export async function listAttendeeVotes({
  read,
  caller: { loginId },
  registry: { now },
}: Act<typeof voting.listAttendeeVotes>): Promise<{ rows: AttendeeVote[] }> {
  const rows = await read.rows<AttendeeVote>(sql`
    select v.election_id::text as election_id, e.title, v.generation < e.generation as is_void, v.cast_at, ${resultsOf(now)} as results_url
    from attendee_vote v join election e using (election_id) where v.login_id = ${loginId} order by v.cast_at desc limit 500`);
  return { rows };
}
