import type { AnswerOf } from '@portal/contract';
import type { ballotCredentials } from '@portal/contract/encrypted-ballots/credentials';
import { sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse, refuseField } from '../../platform/failure.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { type ReadOf, readApart, senderOf } from '../../platform/reading-apart.ts';
import { type BallotState, lockBallotState, readBallotState } from './ballot-state.ts';
import type { read } from './credentials-thread.ts';
import { progressOf } from './duties.ts';
import { notReady } from './refused.ts';
import { classesOfRoll } from './roll-classes.ts';
import { setupThread } from './threads.ts';

const listApart = readApart<typeof read>(new URL('./credentials-thread.ts', import.meta.url), setupThread);

/** Refuses all but the credential authority of an election, as if there were none. One who has become registry staff is none any more. @throws Failure NOT_FOUND */
function requireAuthority({ authority, authorityIsStaff }: BallotState, { loginId }: Caller): void {
  if (authority !== loginId || authorityIsStaff) throw refuse('NOT_FOUND', { what: 'The encrypted ballot' });
}

/** Whether the roll of an election is fixed. @throws Failure BALLOT_NOT_READY */
async function requireRoll(change: Change, { electionId }: BallotState): Promise<void> {
  const [fixed] = await change.rows(
    sql`select 1 as fixed from election where election_id = ${Number(electionId)} and roll_frozen_at is not null`,
  );
  if (!fixed) throw notReady('the registry hasn’t fixed the roll');
}

/** The ballot as its credential authority sees it: what to do, and what was sent. @throws Failure NOT_FOUND */
export async function getAuthority({
  read,
  caller,
  params: { electionId },
  registry: { now },
}: Act<typeof ballotCredentials.getAuthority>): Promise<AnswerOf<typeof ballotCredentials.getAuthority>> {
  const state = await readBallotState(read, electionId);
  requireAuthority(state, caller);
  const id = Number(electionId);
  const [roll, proxies, [facts]] = await Promise.all([
    classesOfRoll(read, id),
    proxiesOf(read, id, now),
    read.rows<{ accounts: number; isPublished: boolean }>(sql`select e.published_at is not null as is_published,
      (select count(*)::int from ballot_credential c where c.election_id = e.election_id) as accounts from election e where e.election_id = ${id}`),
  ]);
  const { uuid, title, rollFixed, setUpAt, credentialsFingerprint } = state;
  return {
    uuid,
    title,
    roll: rollFixed ? roll : null,
    sent: credentialsFingerprint === null ? null : { accounts: facts!.accounts, fingerprint: credentialsFingerprint },
    setUpAt,
    isPublished: facts!.isPublished,
    proxies,
    progress: await progressOf(state),
  };
}

/** Accounts that have a proxy; null in an election without proxies. */
async function proxiesOf(
  read: Pick<Read, 'rows'>,
  electionId: number,
  now: Date,
): Promise<AnswerOf<typeof ballotCredentials.getAuthority>['proxies']> {
  const [row] = await read.rows<{ accounts: number; closesAt: string }>(sql`select w.closes_at,
      (select count(*)::int from election_proxy p where p.election_id = w.election_id and p.state = 'active') as accounts
    from election_window w where w.election_id = ${electionId} and w.kind = 'proxy-appoint'`);
  return row ? { ...row, isClosed: row.closesAt <= now.toISOString() } : null;
}

/**
 * The roll of an election for its credential authority, who sends each account its credential: with the addresses of those who vote for it now: its proxy, or contacts who may. Who took it is in the log.
 * @throws Failure NOT_FOUND, BALLOT_NOT_READY
 */
export async function takeRoll({
  change,
  caller,
  params: { electionId },
}: Act<typeof ballotCredentials.takeRoll>): Promise<AnswerOf<typeof ballotCredentials.takeRoll>> {
  const state = await lockBallotState(change, electionId);
  requireAuthority(state, caller);
  await requireRoll(change, state);
  const rows = await change.rows<AnswerOf<typeof ballotCredentials.takeRoll>['rows'][number]>(sql`
    select r.account_name, r.votes, p.election_proxy_id::text as proxy_id, case when p.email is not null then array[p.email] else
      array(select c.email from contact c where c.account_name = r.account_name and c.status = 'active' and 'voting-vote' = any (c.permissions) order by c.email) end as emails
    from election_roll r left join election_proxy p on p.election_id = r.election_id and p.account_name = r.account_name and p.state in ('active', 'used')
    where r.election_id = ${Number(electionId)} order by r.account_name`);
  await change.note({ election: state.title, accounts: rows.length });
  return { uuid: state.uuid, title: state.title, rows };
}

type Sending = Act<typeof ballotCredentials.sendCredentials>;

/** Reads the list in a thread, once its sender is known as the authority. @throws Failure NOT_FOUND, BALLOT_SET_UP, INVALID_REQUEST, TOO_MANY_REQUESTS */
export async function readCredentials({
  read: database,
  caller,
  params: { electionId },
  body: { credentials },
}: Omit<Sending, 'change'> & { read: Read }): Promise<ReadOf<typeof read>> {
  const state = await readBallotState(database, electionId);
  requireAuthority(state, caller);
  if (state.setUpAt !== null) throw refuse('BALLOT_SET_UP');
  return listApart(senderOf({ caller }), credentials, 'credentials');
}

/**
 * Keeps the credentials and rights of an election, whose votes are those of its roll.
 * @throws Failure NOT_FOUND, BALLOT_NOT_READY, BALLOT_SET_UP, INVALID_REQUEST where the votes are other ones
 */
export async function sendCredentials(
  { change, caller, params: { electionId } }: Sending,
  { portions, answer: { classes, fingerprint } }: ReadOf<typeof read>,
): Promise<AnswerOf<typeof ballotCredentials.sendCredentials>> {
  const state = await lockBallotState(change, electionId);
  requireAuthority(state, caller);
  if (state.setUpAt !== null) throw refuse('BALLOT_SET_UP');
  await requireRoll(change, state);
  const id = Number(electionId);
  const roll = await classesOfRoll(change, id);
  const wrong = [...new Set([...roll, ...classes].map(({ votes }) => votes))]
    .toSorted((a, b) => a - b)
    .map(votes => ({ votes, given: countOf(classes, votes), due: countOf(roll, votes) }))
    .find(({ given, due }) => given !== due);
  if (wrong)
    throw refuseField(
      'credentials',
      `${wrong.given} credentials have ${wrong.votes} ${wrong.votes === 1 ? 'vote' : 'votes'}; on the roll ${wrong.due} accounts have as many`,
    );
  await change.rows(sql`delete from voting_right where election_id = ${id}`);
  await change.rows(sql`delete from ballot_credential where election_id = ${id}`);
  for (const portion of portions)
    await ('rights' in portion
      ? change.rows(
          sql`insert into voting_right (election_id, right_hash) select ${id}, value from json_array_elements_text(${portion.rights}::json) as given (value)`,
        )
      : change.rows(sql`insert into ballot_credential (election_id, credential_hash, credential, votes)
          select ${id}, encode(sha256(convert_to(credential, 'UTF8')), 'hex'), credential, votes
          from json_to_recordset(${portion.credentials}::json) as given (credential text, votes int)`));
  await change.rows(sql`update encrypted_ballot set credentials_fingerprint = ${fingerprint} where election_id = ${id}`);
  const accounts = classes.reduce((sum, each) => sum + each.accounts, 0);
  await change.note({ election: state.title, credentials: accounts, fingerprint });
  return { accounts, votes: classes.reduce((sum, each) => sum + each.accounts * each.votes, 0), fingerprint };
}

const countOf = (classes: readonly { votes: number; accounts: number }[], votes: number): number =>
  classes.find(each => each.votes === votes)?.accounts ?? 0;
