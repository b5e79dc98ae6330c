import type { AnswerOf } from '@portal/contract';
import { isRowId } from '@portal/contract/row-ids';
import type { rollObjections, StaffObjection } from '@portal/contract/encrypted-ballots/objections';
import { sql } from 'kysely';
import type { Change } from '../../platform/database/index.ts';
import { refuse, refuseField } from '../../platform/failure.ts';
import type { Act, CaseAct } from '../../platform/http/endpoints.ts';
import { lockAccount } from '../accounts/index.ts';
import { readElection } from '../elections/index.ts';
import { lockBallotState } from './ballot-state.ts';
import { forStaff, notifyVoters, type ObjectionRow, readObjections, subjectWords } from './objections.ts';
import { newElectionId } from './protocol.ts';

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

/**
 * Decides on an objection. One that is upheld corrects the roll and discards the credentials that were made for it, and the archive where it has begun, which has no ballot yet: the credential
 * authority is asked for new ones. The key of the trustees stays.
 * @throws Failure INVALID_REQUEST where votes are missing or given without need
 */
export async function decideObjection({
  change,
  row,
  caller,
  body: { upheld, votes, answer },
}: CaseAct<typeof rollObjections.decideObjection, ObjectionRow>): Promise<StaffObjection> {
  const { objectionId, electionId, accountName, about, title, votesNow } = row;
  const gives = upheld && about !== 'code';
  if (gives && votes === null) throw refuseField('votes', 'Enter the votes of the account, from 1 to 64');
  if (gives && votes === votesNow)
    throw refuseField('votes', `The roll gives ${accountName} ${votes} now. Enter another number, or reject the objection`);
  if (!gives && votes !== null) throw refuseField('votes', 'Remove the votes: this decision leaves them as they are');
  const { accountStatus } = await lockAccount(change, accountName);
  if (gives && accountStatus === 'closed') throw refuse('OBJECTION_NOT_POSSIBLE', { why: `${accountName} is closed, so it can’t vote` });
  await change
    .updateTable('rollObjection')
    .set({
      state: upheld ? 'upheld' : 'rejected',
      decidedBy: caller.loginId,
      decidedAt: change.now,
      votesGiven: gives ? votes : null,
      answer,
    })
    .where('rollObjectionId', '=', Number(objectionId))
    .execute();
  if (upheld) await correctRoll(change, row, votes);
  await change.concerns(accountName);
  await change.note({ election: title, about, upheld, ...(gives && { votes }), answer });
  const outcome = !upheld
    ? 'The roll stays as it is.'
    : `${gives ? `${accountName} has ${votes} ${votes === 1 ? 'vote' : 'votes'} on the corrected roll.` : 'New voting codes are made.'} Voting codes that were sent before don’t work any more: the credential authority sends new ones to all voters.`;
  await notifyVoters(change, accountName, {
    electionId,
    subject: `${upheld ? 'Upheld' : 'Rejected'}: objection of ${accountName} to the roll of ${title}`,
    body: [
      `The registry ${upheld ? 'upheld' : 'rejected'} the objection of ${accountName} in “${title}” about ${subjectWords[about]}. ${outcome}`,
      `Reason: ${answer}`,
    ],
  });
  return forStaff((await readObjections(change, sql`o.roll_objection_id = ${Number(objectionId)}`))[0]!);
}

/** Corrects the roll by an upheld objection. @param votes null where the entry stays, and only the codes are made anew */
async function correctRoll(change: Change, { objectionId, electionId, accountName }: ObjectionRow, votes: number | null): Promise<void> {
  const id = Number(electionId);
  const { uuid, end, setUpAt } = await lockBallotState(change, electionId);
  if (end !== null && end.kind !== 'Setup') throw refuse('OBJECTION_NOT_POSSIBLE', { why: 'ballots have been cast on this roll' });
  if (end !== null) {
    await change.rows(sql`insert into replaced_archive (election_id, hash, uuid, roll_objection_id, replaced_at)
      values (${id}, ${end.hash}, ${uuid}, ${Number(objectionId)}, ${change.now}::timestamptz)`);
    await change.rows(sql`delete from noted_event where election_id = ${id}`);
    await change.rows(sql`delete from ballot_event where election_id = ${id}`);
  }
  await change.rows(sql`delete from voting_right where election_id = ${id}`);
  await change.rows(sql`delete from ballot_credential where election_id = ${id}`);
  // Another identifier: what was signed for the former roll is of no use for this one.
  await change.rows(sql`update encrypted_ballot set uuid = ${newElectionId()}, parameters = null, trustees = null, credentials_fingerprint = null, asked_at = null, reminders = 0
    where election_id = ${id}`);
  if (setUpAt !== null) await change.rows(sql`update election set set_up_at = null, version = version + 1 where election_id = ${id}`);
  if (votes !== null)
    await change.rows(sql`insert into election_roll (election_id, account_name, votes) values (${id}, ${accountName}, ${votes})
      on conflict (election_id, account_name) do update set votes = excluded.votes, tier = ''`);
}
