import type { AnswerOf } from '@portal/contract';
import type { encryptedBallotSetup } from '@portal/contract/encrypted-ballots/setup';
import { isRowId } from '@portal/contract/row-ids';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import type { Registry } from '../../platform/registry.ts';
import { readElection, rollDueAt, rollFixedAt, tooLittleToObject } from '../elections/index.ts';
import { type BallotState, nextStep, readBallotState } from './ballot-state.ts';
import { readableWeights } from './protocol.ts';

type Answer = AnswerOf<typeof encryptedBallotSetup.getEncryptedBallot>;

/** The encrypted ballot of an election, for registry staff, also before anyone is appointed for it. @throws Failure NOT_FOUND */
export async function getEncryptedBallot({
  read,
  params: { electionId },
  registry,
}: Act<typeof encryptedBallotSetup.getEncryptedBallot>): Promise<Answer> {
  const [unappointed] = isRowId(electionId)
    ? await read.rows(sql`select 1 as unappointed from election e where e.election_id = ${Number(electionId)} and e.ballots = 'encrypted'
        and not exists (select from encrypted_ballot b where b.election_id = e.election_id)`)
    : [];
  if (!unappointed) return ballotStatus(read, electionId, registry);
  return {
    electionId,
    uuid: null,
    authority: null,
    threshold: null,
    trustees: [],
    roll: null,
    ...(await rollPlan(read, electionId, registry)),
    hasCredentials: false,
    hasKey: false,
    setUpAt: null,
    archive: null,
    readableVotes: null,
    result: null,
  };
}

type Policy = Pick<Registry, 'now' | 'profile'>;

/** When the roll of an election is fixed, and what is wrong with its plan while it isn’t: accounts need time to object to it. */
async function rollPlan(read: Read, electionId: string, { now, profile }: Policy): Promise<Pick<Answer, 'rollDueAt' | 'tooSoon'>> {
  const election = await readElection(read, electionId, now);
  const fixedAt = await rollFixedAt(read, electionId);
  if (fixedAt !== null || election.state === 'cancelled' || election.state === 'closed') return { rollDueAt: null, tooSoon: null };
  const dueAt = rollDueAt(election, profile);
  const seen = { fixedAt: now.toISOString(), publishedAt: election.publishedAt ?? now.toISOString() };
  return { rollDueAt: dueAt, tooSoon: tooLittleToObject(election, seen, profile) };
}

/** The same, after a change. @throws Failure NOT_FOUND */
export async function ballotStatus(read: Read, electionId: string, registry: Policy): Promise<Answer> {
  const state = await readBallotState(read, electionId);
  const { uuid, authorityName, authorityEmail, threshold, trustees, hasCredentials, trusteeKeys, setUpAt, end } = state;
  const id = Number(electionId);
  const [roll, [cast]] = await Promise.all([
    read.rows<{ votes: number; accounts: number }>(sql`select r.votes, count(*)::int as accounts from election_roll r
      where r.election_id = ${id} group by r.votes order by r.votes`),
    read.rows<{ fixed: boolean; ballots: number }>(sql`select e.roll_frozen_at is not null as fixed,
      (select count(*)::int from ballot_event b where b.election_id = e.election_id and b.kind = 'Ballot') as ballots from election e where e.election_id = ${id}`),
  ]);
  return {
    electionId,
    uuid,
    authority: { fullName: authorityName, email: authorityEmail },
    threshold,
    trustees: trustees.map(each => ({ place: each.place, fullName: each.fullName, email: each.email, next: nextStep(state, each) })),
    roll: cast!.fixed ? roll : null,
    ...(await rollPlan(read, electionId, registry)),
    hasCredentials,
    hasKey: trusteeKeys !== null,
    setUpAt,
    archive: end && { kind: end.kind, height: end.height, hash: end.hash, bytes: end.bytes, ballots: cast!.ballots },
    readableVotes: state.tally === null ? null : await readableVotes(read, electionId),
    result: await resultOf(read, state),
  };
}

/** Numbers of votes whose voters every sum gives away, by who voted. */
export async function readableVotes(read: Pick<Read, 'rows'>, electionId: string): Promise<{ votes: number; ballots: number }[]> {
  const classes = await read.rows<{
    weight: number;
    ballots: number;
  }>(sql`select coalesce(votes, 0) as weight, count(*)::int as ballots from ballot_event
    where election_id = ${Number(electionId)} and kind = 'Ballot' group by votes order by votes`);
  return readableWeights(classes).map(({ weight, ballots }) => ({ votes: weight, ballots }));
}

/** The votes of each answer; null before the result. */
async function resultOf(read: Pick<Read, 'rows'>, { electionId, result }: BallotState): Promise<Answer['result']> {
  if (result === null) return null;
  const [blank, ...votes] = result;
  const names = await read.rows<{ name: string }>(
    sql`select name from election_option where election_id = ${Number(electionId)} order by place`,
  );
  return { blank: blank ?? 0, answers: names.map(({ name }, place) => ({ name, votes: votes[place] ?? 0 })) };
}
