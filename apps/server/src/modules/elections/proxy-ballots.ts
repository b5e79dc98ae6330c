import type { AnswerOf } from '@portal/contract';
import { isRowId } from '@portal/contract/row-ids';
import type { ballots } from '@portal/contract/elections/ballots';
import { sql } from 'kysely';
import { refuse } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { lockAccount } from '../accounts/index.ts';
import { addressOf, ballotEnds, openSession, requireOptions } from './ballots.ts';
import { readElection } from './election-row.ts';
import { accountInElections } from './roll.ts';

/**
 * Opens the plain ballot of an account for its proxy, who signs in with a login of the address of the appointment: to everyone else there is none. The account is locked first, as in casting its vote.
 * @throws Failure NOT_FOUND, VOTES_CAST, BALLOT_CLOSED with the reason
 */
export async function openProxyBallot({
  change,
  caller,
  params: { proxyId },
  registry: { now, config },
}: Act<typeof ballots.openProxyBallot>): Promise<AnswerOf<typeof ballots.openProxyBallot>> {
  const notFound = () => refuse('NOT_FOUND', { what: 'The appointment' });
  if (!isRowId(proxyId)) throw notFound();
  const [row] = await change.rows<{ electionId: string; accountName: string }>(sql`
    select p.election_id::text as election_id, p.account_name from login l join election_proxy p on lower(p.email) = lower(l.email) join election e using (election_id)
    where p.election_proxy_id = ${Number(proxyId)} and l.login_id = ${caller.loginId} and l.email_verified and e.ballots = 'plain' and e.published_at is not null`);
  if (!row) throw notFound();
  const { electionId, accountName } = row;
  await change.concerns(accountName);
  const { accountStatus } = await lockAccount(change, accountName);
  const [appointment] = await change.rows<{ state: string; fullName: string }>(
    sql`select state, full_name from election_proxy where election_proxy_id = ${Number(proxyId)}`,
  );
  const { state, fullName } = appointment!;
  const election = await readElection(change, electionId, now);
  const window = election.windows.find(({ kind }) => kind === 'proxy-vote');
  if (!window) throw notFound();
  if (election.state === 'cancelled') throw refuse('BALLOT_CLOSED', { why: 'the election is cancelled' });
  if (state === 'revoked' || state === 'voided')
    throw refuse('BALLOT_CLOSED', { why: `you aren’t the proxy of ${accountName} any more: the appointment was ${state}` });
  const own = (await accountInElections(change, accountName, [electionId])).get(electionId)!;
  if (own.votedBy !== null) throw refuse('VOTES_CAST');
  if (window.state !== 'open') throw refuse('BALLOT_CLOSED', { why: window.words });
  if (accountStatus !== 'open') throw refuse('BALLOT_CLOSED', { why: `${accountName} is ${accountStatus}. Only open accounts can vote` });
  if (own.votes === null) throw refuse('BALLOT_CLOSED', { why: `${accountName} wasn’t a member when the votes were frozen` });
  if (window.url === '') await requireOptions(change, electionId);
  const session = await openSession(change, {
    electionId,
    generation: election.generation,
    accountName,
    loginId: null,
    castAs: 'proxy',
    contactId: null,
    voterName: fullName,
    votes: own.votes,
    openedAt: now.toISOString(),
    expiresAt: ballotEnds(now, window),
  });
  await change.note({ election: election.title, votes: own.votes });
  return { url: addressOf(session, window.url, config), expiresAt: session.expiresAt };
}
