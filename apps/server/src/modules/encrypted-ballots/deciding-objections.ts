import type { AnswerOf } from '@portal/contract';
import { isRowId } from '@portal/contract/row-ids';
import type { rollObjections, StaffObjection } from '@portal/contract/encrypted-ballots/objections';
import { sql } from 'kysely';
import type { Change } from '../../platform/database/index.ts';
import { refuse, refuseField } from '../../platform/failure.ts';
import { type Act, type CaseAct, SecondPersonNeeded } from '../../platform/http/endpoints.ts';
import type { Profile } from '../../profile.ts';
import { lockAccount } from '../accounts/index.ts';
import { isVoter, possibleVotes, readElection } from '../elections/index.ts';
import { lockBallotState } from './ballot-state.ts';
import { endObjection, type HeldUp } from './ending-objections.ts';
import { discardCredentials } from './discarding.ts';
import { forStaff, inUtc, notifyVoters, type ObjectionRow, readObjections, subjectWords } from './objections.ts';
import { encryptedBallotsTexts } from './mail-texts.ts';

/** Objections to the roll of an election, for registry staff. @throws Failure NOT_FOUND */
export async function listRollObjections({
  read,
  params: { electionId },
  registry: { now },
}: Act<typeof rollObjections.listRollObjections>): Promise<AnswerOf<typeof rollObjections.listRollObjections>> {
  if (!isRowId(electionId)) throw refuse('NOT_FOUND', { what: 'The election' });
  await readElection(read, electionId, now);
  return { rows: (await readObjections(read, sql`o.election_id = ${Number(electionId)}`)).map(forStaff) };
}

/** A decision, and the votes that it gives. */
type Decision = Pick<CaseAct<typeof rollObjections.decideObjection, ObjectionRow>['body'], 'upheld' | 'votes'>;

/**
 * Checks a decision: votes are given where an entry is corrected, and are some that accounts have in such an election.
 * @throws Failure INVALID_REQUEST, OBJECTION_NOT_POSSIBLE where the election is over or the account can’t vote
 */
async function requirePossible(
  change: Change,
  { electionId, accountName, about, votesNow }: ObjectionRow,
  { upheld, votes }: Decision,
  profile: Profile,
): Promise<void> {
  const { accountStatus } = await lockAccount(change, accountName);
  if (!upheld || about === 'code') {
    if (votes !== null) throw refuseField('votes', 'Remove the votes: this decision leaves them as they are');
  }
  if (!upheld) return;
  const election = await readElection(change, electionId, new Date(change.now));
  const [ballot] = await change.rows<{ isOver: boolean }>(
    sql`select tally is not null as is_over from encrypted_ballot where election_id = ${Number(electionId)}`,
  );
  const over =
    election.state === 'cancelled'
      ? 'the election is cancelled'
      : election.publishedAt === null
        ? 'the election isn’t published'
        : ballot?.isOver || (!ballot && election.state === 'closed')
          ? 'voting is over'
          : null;
  if (over !== null) throw refuse('OBJECTION_NOT_POSSIBLE', { why: over });
  if (about === 'code') return;
  const possible = possibleVotes(election.kind, profile);
  const list = new Intl.ListFormat('en', { type: 'disjunction' }).format(possible.map(String));
  if (votes === null || !possible.includes(votes))
    throw refuseField('votes', `Enter the votes of the account. In this election accounts have ${list}`);
  if (votes === votesNow)
    throw refuseField('votes', `The roll gives ${accountName} ${votes} now. Enter another number, or reject the objection`);
  if (accountStatus === 'closed') throw refuse('OBJECTION_NOT_POSSIBLE', { why: `${accountName} is closed, so it can’t vote` });
  if (!(await isVoter(change, accountName)))
    throw refuse('OBJECTION_NOT_POSSIBLE', { why: `${accountName} is of a type that doesn’t vote` });
}

/**
 * Decides on an objection; of one that is upheld, two people of different roles. It corrects the roll and discards the credentials that were made for it, and the archive where it has
 * begun, which has no ballot yet: the credential authority is asked for new ones. The key of the trustees stays.
 * @throws Failure INVALID_REQUEST where votes are missing, given without need, or none that accounts have
 * @throws SecondPersonNeeded for one that is upheld
 */
export async function decideObjection({
  change,
  row,
  caller,
  body: { upheld, votes, answer },
  hasSecondPerson,
  registry: { profile },
}: CaseAct<typeof rollObjections.decideObjection, ObjectionRow>): Promise<StaffObjection> {
  const { objectionId, electionId, accountName, about, title, votesNow } = row;
  await requirePossible(change, row, { upheld, votes }, profile);
  const heldUp = await endObjection(
    change,
    row,
    { state: upheld ? 'upheld' : 'rejected', decidedBy: caller.loginId, votesGiven: votes, answer },
    profile,
  );
  if (upheld) await correctRoll(change, row, votes);
  await change.concerns(accountName);
  await change.note({ election: title, about, upheld, ...(votes !== null && { votesBefore: votesNow, votes }), answer });
  if (upheld && !hasSecondPerson) throw new SecondPersonNeeded();
  const outcome = !upheld
    ? 'The roll stays as it is.'
    : `${votes !== null ? `${accountName} has ${votes} ${votes === 1 ? 'vote' : 'votes'} on the corrected roll.` : 'New voting codes are made.'} Voting codes that were sent before don’t work any more: the credential authority sends new ones to all voters.`;
  await notifyVoters(change, accountName, {
    electionId,
    text: upheld
      ? encryptedBallotsTexts.written('upheldObjectionRoll', {
          accountName,
          title,
          subjectWords: subjectWords[about],
          outcome,
          votingWasHeld: heldUp === null ? '' : `Voting was held up until now, and ${heldUpWords(heldUp, change.now)}`,
          answer,
        })
      : encryptedBallotsTexts.written('rejectedObjectionRoll', {
          accountName,
          title,
          subjectWords: subjectWords[about],
          outcome,
          votingWasHeld: heldUp === null ? '' : `Voting was held up until now, and ${heldUpWords(heldUp, change.now)}`,
          answer,
        }),
  });
  return forStaff((await readObjections(change, sql`o.roll_objection_id = ${Number(objectionId)}`))[0]!);
}

/** Until when voting that was held up is possible. */
const heldUpWords = ({ closesAt, extended }: HeldUp, now: string): string =>
  extended
    ? `closes on ${inUtc(closesAt)} instead.`
    : Date.parse(closesAt) > Date.parse(now)
      ? `closes on ${inUtc(closesAt)} as announced.`
      : 'is over since: no ballot was cast.';

/** Corrects the roll by an upheld objection. @param votes null where the entry stays, and only the codes are made anew */
async function correctRoll(change: Change, row: ObjectionRow, votes: number | null): Promise<void> {
  const { electionId, accountName } = row;
  const id = Number(electionId);
  // No one is appointed where the roll was fixed as voting should have opened.
  const [appointed] = await change.rows(sql`select 1 as appointed from encrypted_ballot where election_id = ${id}`);
  if (appointed) await discardSetup(change, row);
  if (votes !== null)
    await change.rows(sql`insert into election_roll (election_id, account_name, votes) values (${id}, ${accountName}, ${votes})
      on conflict (election_id, account_name) do update set votes = excluded.votes, tier = ''`);
}

/** Discards what was made for the roll of an election: credentials, rights, and an archive that has no ballot. */
async function discardSetup(change: Change, { objectionId, electionId }: ObjectionRow): Promise<void> {
  const id = Number(electionId);
  const { uuid, end, setUpAt } = await lockBallotState(change, electionId);
  if (end !== null && end.kind !== 'Setup') throw refuse('OBJECTION_NOT_POSSIBLE', { why: 'ballots have been cast on this roll' });
  if (end !== null) {
    await change.rows(sql`insert into replaced_archive (election_id, hash, uuid, roll_objection_id, replaced_at)
      values (${id}, ${end.hash}, ${uuid}, ${Number(objectionId)}, ${change.now}::timestamptz)`);
    await change.rows(sql`delete from noted_event where election_id = ${id}`);
    await change.rows(sql`delete from ballot_event where election_id = ${id}`);
  }
  await discardCredentials(change, electionId);
  if (setUpAt !== null) await change.rows(sql`update election set set_up_at = null, version = version + 1 where election_id = ${id}`);
}
