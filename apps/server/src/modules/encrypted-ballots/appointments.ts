import type { AnswerOf } from '@portal/contract';
import type { encryptedBallotSetup } from '@portal/contract/encrypted-ballots/setup';
import { sql } from 'kysely';
import type { Change } from '../../platform/database/index.ts';
import { type Problem, refuse, refuseFields } from '../../platform/failure.ts';
import { type Act, SecondPersonNeeded } from '../../platform/http/endpoints.ts';
import { freezeRoll, lockElection, wasSetUp } from '../elections/index.ts';
import { lockBallotState } from './ballot-state.ts';
import { discardCredentials } from './discarding.ts';
import { newElectionId } from './protocol.ts';
import { ballotStatus } from './setup-status.ts';

type Person = { loginId: string; staff: boolean };

/** An election whose encrypted ballot isn't set up. @throws Failure NOT_FOUND, BALLOT_SET_UP */
async function electionToSetUp(change: Change, electionId: string) {
  const election = await lockElection(change, electionId, new Date(change.now));
  if (election.ballots !== 'encrypted') throw refuse('NOT_FOUND', { what: 'The encrypted ballot' });
  if (election.setUpAt !== null) throw refuse('BALLOT_SET_UP');
  return election;
}

/**
 * Appoints the credential authority and the trustees of an election, who sign in with the logins of their addresses. What was sent for the ballot before is discarded: a
 * key and a list of credentials are of those who were appointed. Once the ballot was set up only the authority is replaced, by two people.
 * @throws Failure NOT_FOUND, BALLOT_SET_UP, INVALID_REQUEST for an address without a login, an authority of the registry, a person who is named twice
 */
export async function appointTrustees({
  change,
  caller,
  params: { electionId },
  body: { authority, trustees, threshold },
  hasSecondPerson,
  registry,
}: Act<typeof encryptedBallotSetup.appointTrustees>): Promise<AnswerOf<typeof encryptedBallotSetup.appointTrustees>> {
  const election = await electionToSetUp(change, electionId);
  const found = await change.rows<Person & { email: string }>(sql`select login_id, staff, lower(email) as email from login
    where lower(email) = any (${[authority, ...trustees].map(email => email.toLowerCase())}::text[]) and email_verified and disabled_at is null`);
  const byEmail = new Map(found.map(({ email, ...person }) => [email, person]));
  const personOf = (email: string): Person | undefined => byEmail.get(email.toLowerCase());
  const problems: Required<Problem>[] = [];
  const without = 'No login has this address. Its owner creates one first';
  if (!personOf(authority)) problems.push({ field: 'authority', message: without });
  else if (personOf(authority)!.staff)
    problems.push({ field: 'authority', message: 'This is registry staff. The credential authority is someone else, such as an auditor' });
  for (const [place, email] of trustees.entries()) {
    const field = `trustees.${place}`;
    if (!personOf(email)) problems.push({ field, message: without });
    else if (email.toLowerCase() === authority.toLowerCase())
      problems.push({ field, message: 'The credential authority can’t be a trustee as well' });
    else if (trustees.findIndex(each => each.toLowerCase() === email.toLowerCase()) < place)
      problems.push({ field, message: 'This trustee is there twice' });
  }
  if (threshold !== null && threshold > trustees.length)
    problems.push({ field: 'threshold', message: `There are ${trustees.length} trustees` });
  if (problems.length > 0) throw refuseFields(problems);
  const id = Number(electionId);
  if (await wasSetUp(change, electionId)) {
    const logins = trustees.map(email => personOf(email)!.loginId);
    await replaceAuthority(change, electionId, { authority: personOf(authority)!.loginId, logins, threshold });
    await change.rows(
      sql`update encrypted_ballot set appointed_by = ${caller.loginId}, appointed_at = ${change.now}::timestamptz where election_id = ${id}`,
    );
    await change.note({ election: election.title, authority });
    if (!hasSecondPerson) throw new SecondPersonNeeded();
    return ballotStatus(change, electionId, registry);
  }
  await discardBallot(change, id);
  await change.rows(sql`insert into encrypted_ballot (election_id, uuid, authority, threshold, appointed_by, appointed_at)
    values (${id}, ${newElectionId()}, ${personOf(authority)!.loginId}, ${threshold}, ${caller.loginId}, ${change.now}::timestamptz)`);
  for (const [place, email] of trustees.entries())
    await change.rows(
      sql`insert into ballot_trustee (election_id, place, login_id) values (${id}, ${place + 1}, ${personOf(email)!.loginId})`,
    );
  await change.note({ election: election.title, authority, trustees, threshold });
  return ballotStatus(change, electionId, registry);
}

/** Replaces the credential authority of an election whose ballot was set up; trustees and their key stay. @throws Failure BALLOT_SET_UP where anything else would change, or nothing */
async function replaceAuthority(
  change: Change,
  electionId: string,
  { authority, logins, threshold }: { authority: string; logins: readonly string[]; threshold: number | null },
): Promise<void> {
  const state = await lockBallotState(change, electionId);
  const isSame =
    state.threshold === threshold &&
    state.trustees.length === logins.length &&
    state.trustees.every(({ loginId }, place) => loginId === logins[place]);
  if (!isSame || state.authority === authority) throw refuse('BALLOT_SET_UP');
  await discardCredentials(change, electionId);
  await change.rows(sql`update encrypted_ballot set authority = ${authority} where election_id = ${Number(electionId)}`);
}

async function discardBallot(change: Change, electionId: number): Promise<void> {
  await change.deleteFrom('votingRight').where('electionId', '=', electionId).execute();
  await change.deleteFrom('ballotCredential').where('electionId', '=', electionId).execute();
  await change.deleteFrom('ballotTrustee').where('electionId', '=', electionId).execute();
  await change.deleteFrom('encryptedBallot').where('electionId', '=', electionId).execute();
}

/**
 * Fixes who can vote, and with how many votes, before voting opens: once, as `freezeRolls` does when it opens.
 * @throws Failure NOT_FOUND, BALLOT_SET_UP
 */
export async function fixRoll({
  change,
  params: { electionId },
  registry,
}: Act<typeof encryptedBallotSetup.fixRoll>): Promise<AnswerOf<typeof encryptedBallotSetup.fixRoll>> {
  await electionToSetUp(change, electionId);
  const answer = await ballotStatus(change, electionId, registry);
  if (answer.roll !== null) return answer;
  await freezeRoll(change, electionId, registry.profile);
  return ballotStatus(change, electionId, registry);
}
