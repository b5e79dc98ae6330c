import { isRowId } from '@portal/contract/row-ids';
import type { AnswerOf } from '@portal/contract';
import { windowInWords, windowStateAt } from '@portal/contract/elections/election-windows';
import type { ProxyVote, proxyVotes } from '@portal/contract/encrypted-ballots/proxy-votes';
import { type RawBuilder, sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { lockAccount } from '../accounts/index.ts';
import { accountInElections, readElection } from '../elections/index.ts';
import type { VerifiedBallot } from './ballot-thread.ts';
import { type AdmittedBallot, castFor, formFor, verifyFor } from './casting.ts';

type Row = Omit<ProxyVote, 'window' | 'words' | 'state' | 'host' | 'hasSecondFactor'> & {
  /** Of an outside voting system. */
  url: string | null;
  state: 'active' | 'used' | 'revoked' | 'voided';
};

/**
 * Appointments of the owner of a login: those with its verified address. An appointment ends with its state, not with a change of the address: the person who has the address of the appointment
 * when voting is the proxy.
 */
const appointmentsOf = (
  read: Pick<Read, 'rows'>,
  { loginId }: Pick<Caller, 'loginId'>,
  more: RawBuilder<unknown> = sql``,
): Promise<Row[]> =>
  read.rows<Row>(sql`
    select p.election_proxy_id::text as proxy_id, p.election_id::text as election_id, e.title, e.kind, e.ballots, nullif(w.url, '') as url, p.account_name, a.org_name, r.votes, p.state,
      c.full_name as appointed_by, p.appointed_at, p.ended_at, p.end_reason, w.opens_at, w.closes_at,
      case when e.state = 'cancelled' then e.cancel_reason end as cancel_reason, case when v.cast_as = 'proxy' then v.cast_at end as voted_at
    from login l join election_proxy p on lower(p.email) = lower(l.email) join election e using (election_id)
    join election_window w on w.election_id = e.election_id and w.kind = 'proxy-vote' join contact c on c.contact_id = p.appointed_by
    join account a on a.account_name = p.account_name
    left join election_roll r on r.election_id = e.election_id and r.account_name = p.account_name
    left join election_vote v on v.election_id = e.election_id and v.generation = e.generation and v.account_name = p.account_name
    where l.login_id = ${loginId} and l.email_verified and e.published_at is not null ${more}
    order by p.election_proxy_id desc limit 100`);

/** The appointment of the caller. @throws Failure NOT_FOUND, also for those of others */
async function appointmentOf(read: Pick<Read, 'rows'>, caller: Pick<Caller, 'loginId'>, proxyId: string): Promise<Row> {
  const [row] = isRowId(proxyId)
    ? await appointmentsOf(read, caller, sql`and p.election_proxy_id = ${Number(proxyId)} and e.ballots = 'encrypted'`)
    : [];
  if (!row) throw refuse('NOT_FOUND', { what: 'The appointment' });
  return row;
}

/** Accounts whose proxy the caller is or was. */
export async function listProxyVotes({
  read,
  caller,
  registry: { now },
}: Act<typeof proxyVotes.listProxyVotes>): Promise<AnswerOf<typeof proxyVotes.listProxyVotes>> {
  const rows = await appointmentsOf(read, caller);
  return {
    rows: rows.map(({ url, ...row }) => {
      const window = windowStateAt(row, now);
      const expired = row.state === 'active' && window === 'closed';
      return {
        ...row,
        host: url && new URL(url).host,
        state: expired ? 'expired' : row.state,
        window,
        words: windowInWords(row, now),
        hasSecondFactor: caller.mfa,
      };
    }),
  };
}

const votingOf = ({ electionId, accountName }: Row, now: Date) => ({ electionId, accountName, now, kind: 'proxy-vote' as const });

/** Refuses an appointment that was withdrawn. @throws Failure BALLOT_CLOSED */
function requireStanding({ state, accountName }: Row): void {
  if (state === 'revoked' || state === 'voided')
    throw refuse('BALLOT_CLOSED', { why: `you aren’t the proxy of ${accountName} any more: the appointment was ${state}` });
}

/** The parameters with which a proxy’s browser encrypts. @throws Failure NOT_FOUND, BALLOT_CLOSED */
export async function getProxyBallotForm({
  read,
  caller,
  params: { proxyId },
  registry: { now },
}: Act<typeof proxyVotes.getProxyBallotForm>): Promise<AnswerOf<typeof proxyVotes.getProxyBallotForm>> {
  const row = await appointmentOf(read, caller, proxyId);
  requireStanding(row);
  return formFor(read, votingOf(row, now));
}

type Casting = Act<typeof proxyVotes.castProxyBallot>;

/** Verifies the proofs of the ballot in a thread, before its change. @throws Failure NOT_FOUND, BALLOT_CLOSED, VOTES_CAST, BALLOT_REFUSED, TOO_MANY_REQUESTS */
export async function verifyProxyBallot({
  read,
  caller,
  params: { proxyId },
  body: { ballot },
  registry: { now },
}: Omit<Casting, 'change'> & { read: Read }): Promise<VerifiedBallot> {
  const row = await appointmentOf(read, caller, proxyId);
  requireStanding(row);
  return verifyFor(read, votingOf(row, now), ballot);
}

/**
 * Casts the ballot of an account as its proxy, with the votes that the roll gives the account. From then on the appointment is used, and final.
 * @throws Failure NOT_FOUND, BALLOT_CLOSED, VOTES_CAST, BALLOT_REFUSED
 */
export async function castProxyBallot(
  { change, caller, params: { proxyId }, body, registry: { now } }: Casting,
  verified: VerifiedBallot,
): Promise<AnswerOf<typeof proxyVotes.castProxyBallot>> {
  const { electionId, accountName } = await appointmentOf(change, caller, proxyId);
  await change.concerns(accountName);
  return castFor(change, { electionId, accountName, ...body }, verified, () => admitProxy(change, caller, { proxyId, now }));
}

/** Checks completely whether the proxy may cast the votes of the account now, and marks the appointment as used. The account is locked. */
async function admitProxy(change: Change, caller: Caller, { proxyId, now }: { proxyId: string; now: Date }): Promise<AdmittedBallot> {
  const row = await appointmentOf(change, caller, proxyId);
  const { electionId, accountName, votes } = row;
  const { accountStatus } = await lockAccount(change, accountName);
  requireStanding(row);
  const election = await readElection(change, electionId, now);
  if (election.state === 'cancelled') throw refuse('BALLOT_CLOSED', { why: 'the election is cancelled' });
  const window = windowStateAt(row, now);
  if (window !== 'open') throw refuse('BALLOT_CLOSED', { why: windowInWords(row, now) });
  if (accountStatus !== 'open') throw refuse('BALLOT_CLOSED', { why: `${accountName} is ${accountStatus}. Only open accounts can vote` });
  const own = (await accountInElections(change, accountName, [electionId])).get(electionId)!;
  if (own.votedBy !== null) throw refuse('VOTES_CAST');
  if (votes === null) throw refuse('BALLOT_CLOSED', { why: `${accountName} wasn’t a member when the votes were frozen` });
  await change
    .updateTable('electionProxy')
    .set({ state: 'used' })
    .where('electionProxyId', '=', Number(proxyId))
    .where('state', '=', 'active')
    .execute();
  return { election, votes, castAs: 'proxy', contactId: null, voterName: own.proxy ?? caller.name };
}
