import type { AnswerOf, BodyOf } from '@portal/contract';
import { MINUTE_MS } from '@portal/contract/days';
import { ballotMinutes, type ballots } from '@portal/contract/elections/ballots';
import { electionKinds, type StaffElection } from '@portal/contract/elections/elections';
import { sql } from 'kysely';
import type { LockName } from '../../platform/database/advisory-lock.ts';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import type { Registry } from '../../platform/registry.ts';
import type { Secrets } from '../../platform/secret-box.ts';
import { actorOf, lockAccount } from '../accounts/index.ts';
import { hasUnpaidInvoiceDueBefore } from '../billing/index.ts';
import { addToSum } from './ballot-sums.ts';
import { readElection } from './election-row.ts';
import { memberVoteEligibility, whyNot } from './eligibility.ts';
import { handOverAddress, isReportSigned, ownBallots } from './hand-over.ts';
import { accountInElections } from './roll.ts';
import { votingWeightOf } from './weight.ts';
import { stands } from './standing-proxy.ts';

/** Maximum clock difference between two systems. */
const SKEW_MS = MINUTE_MS / 2;
type Session = {
  voterId: string;
  electionId: string;
  generation: number;
  /** Null for an attendee, who is identified by `loginId`. */
  accountName: string | null;
  loginId: string | null;
  castAs: 'member' | 'proxy' | 'attendee';
  contactId: string | null;
  voterName: string;
  votes: number;
  openedAt: string;
  expiresAt: string;
};

/**
 * The one voter of an account (or of its proxy), or of an attendee, in a round: opening the ballot again extends the same voter. A link that was handed over before, such as one
 * that was mailed to a proxy, holds as long as it said.
 */
export async function openSession(change: Change, given: Omit<Session, 'voterId'>): Promise<Session> {
  const { electionId, generation, accountName, loginId, castAs, contactId, voterName, votes, openedAt, expiresAt } = given;
  const oneVoter = loginId === null ? sql`election_id, generation, account_name, cast_as` : sql`election_id, generation, login_id`;
  const [row] = await change.rows<{ voterId: string }>(sql`
    insert into ballot_session (election_id, generation, account_name, login_id, cast_as, contact_id, voter_name, votes, opened_at, expires_at)
    values (${Number(electionId)}, ${generation}, ${accountName}, ${loginId}, ${castAs}, ${contactId}::uuid, ${voterName}, ${votes}, ${openedAt}::timestamptz, ${expiresAt}::timestamptz)
    on conflict (${oneVoter}) do update set contact_id = excluded.contact_id, voter_name = excluded.voter_name,
      votes = excluded.votes, opened_at = excluded.opened_at, expires_at = greatest(ballot_session.expires_at, excluded.expires_at)
    returning voter_id`);
  return { ...given, voterId: row!.voterId };
}

/** Who votes for an account now, in which election and window, and with how many votes. */
type AdmittedVoter = {
  election: StaffElection;
  window: StaffElection['windows'][number];
  actor: Awaited<ReturnType<typeof actorOf>>;
  votes: number;
};

/**
 * Locks an account, and checks completely whether the caller may cast its votes now.
 * @throws Failure NOT_FOUND, VOTES_CAST, PROXY_APPOINTED, BALLOT_CLOSED with the reason
 */
export async function admitVoter({
  change,
  account,
  caller,
  params: { electionId },
  registry: { now, today, profile },
}: Pick<Act<typeof ballots.openBallot>, 'change' | 'account' | 'caller' | 'params' | 'registry'>): Promise<AdmittedVoter> {
  const { accountName } = account;
  const actor = await actorOf(change, account);
  const { accountStatus } = await lockAccount(change, accountName);
  const election = await readElection(change, electionId, now);
  const window = election.windows.find(({ kind }) => kind === 'member-vote');
  if (election.publishedAt === null || !window) throw refuse('NOT_FOUND', { what: 'The election' });
  if (election.state === 'cancelled') throw refuse('BALLOT_CLOSED', { why: 'the election is cancelled' });
  const own = (await accountInElections(change, accountName, [election.electionId])).get(election.electionId)!;
  if (own.votedBy !== null) throw refuse('VOTES_CAST');
  if (own.proxy !== null) throw refuse('PROXY_APPOINTED', { name: own.proxy, account: accountName });
  const owes = await hasUnpaidInvoiceDueBefore(change, accountName, today);
  const voter = { ...account, accountStatus, mfa: caller.mfa, owes, proxy: null, votedBy: null };
  const eligibility = memberVoteEligibility(election.kind, voter, window);
  if (eligibility.reason !== null) throw refuse('BALLOT_CLOSED', { why: whyNot(eligibility) });
  const ofTier = electionKinds[election.kind].memberVotes === 'tier';
  const votes = own.votes ?? (own.frozen ? null : ofTier ? (await votingWeightOf(change, account, profile)).votes : 1);
  if (votes === null) throw refuse('BALLOT_CLOSED', { why: `${accountName} wasn’t a member when the votes were frozen` });
  return { election, window, actor, votes };
}

/**
 * Opens the ballot of an account. The caller's eligibility is checked again completely, with the account locked.
 * @throws Failure NOT_FOUND, VOTES_CAST, PROXY_APPOINTED, BALLOT_CLOSED with the reason
 */
export async function openBallot(act: Act<typeof ballots.openBallot>): Promise<AnswerOf<typeof ballots.openBallot>> {
  const {
    change,
    account: { accountName },
    registry: { now, config },
  } = act;
  const { election, window, actor, votes } = await admitVoter(act);
  if (election.ballots === 'encrypted')
    throw refuse('BALLOT_CLOSED', { why: 'the ballots of this election are encrypted before they are sent' });
  if (window.url === '') await requireOptions(change, election.electionId);
  const session = await openSession(change, {
    electionId: election.electionId,
    generation: election.generation,
    accountName,
    loginId: null,
    castAs: 'member',
    contactId: actor.contactId,
    voterName: actor.name,
    votes,
    openedAt: now.toISOString(),
    expiresAt: ballotEnds(now, window),
  });
  await change.note({ election: election.title, votes });
  return { url: addressOf(session, window.url, config), expiresAt: session.expiresAt, votes };
}

/**
 * The address at which a ballot is cast: the registry's own if the window has no address, otherwise the outside system's, signed if both share a key.
 * Without a key the system signs voters in itself, and its plain address is returned.
 */
export function addressOf(session: Session, url: string, config: Registry['config']): string {
  const voter = { ...session, voter: session.voterId };
  const { votingSystemSecret: secret } = config;
  if (url === '') {
    const own = ownBallots(config);
    return handOverAddress(own.url, own.secret, voter);
  }
  return secret === '' ? url : handOverAddress(url, secret, voter);
}

/** Refuses the ballot of an election without options. @throws Failure BALLOT_CLOSED */
export async function requireOptions(read: Read, electionId: string): Promise<void> {
  const [option] = await read.rows(sql`select 1 from election_option where election_id = ${Number(electionId)} limit 1`);
  if (!option) throw refuse('BALLOT_CLOSED', { why: 'the candidates are not on it yet. Try again later' });
}

/** Expiry of a ballot opened now. */
export const ballotEnds = (now: Date, { closesAt }: { closesAt: string }): string =>
  new Date(Math.min(now.getTime() + ballotMinutes * MINUTE_MS, Date.parse(closesAt))).toISOString();

/** Returns who opened the ballot of an account in the last minutes without casting it: until it expires no proxy can be appointed. */
export async function openBallotOf(
  read: Read,
  accountName: string,
  electionId: string,
  now: Date,
): Promise<{ voterName: string; expiresAt: string } | null> {
  const [row] = await read.rows<{ voterName: string; expiresAt: string }>(sql`
    select s.voter_name, s.expires_at from ballot_session s join election e using (election_id)
    where s.election_id = ${Number(electionId)} and s.account_name = ${accountName} and s.generation = e.generation and s.cast_as = 'member'
      and s.expires_at > ${now.toISOString()}::timestamptz`);
  return row ?? null;
}

/** Facts that decide whether a vote counts. */
type VoteFacts = Session & {
  title: string;
  current: number;
  state: string;
  seats: number | null;
  options: number;
  votedBy: string | null;
  proxy: boolean;
  accountStatus: string | null;
  /** By the roll, once it is fixed: 0 for an account that isn’t on it; null before, and for attendees. */
  rollVotes: number | null;
};

/** The lock shared by votes of an election and taken exclusively by a new round, so that no vote is cast in a finished round. */
export const roundLock = (electionId: string): LockName => `elections.round-${electionId}`;

/**
 * Locks the account of a voter and the round, and reads everything about its vote, in only two statements because many votes arrive at the same time.
 * @throws Failure VOTE_REPORT_REFUSED
 */
async function lockVoter(change: Change, voter: string): Promise<VoteFacts> {
  await change.rows(sql`
    select (select pg_advisory_xact_lock_shared(hashtextextended('elections.round-' || s.election_id, 0))::text) as round,
      (select 1 from account a where a.account_name = s.account_name for no key update) as account
    from ballot_session s where s.voter_id = ${voter}::uuid`);
  const [facts] = await change.rows<VoteFacts>(sql`
    select s.voter_id, s.election_id::text as election_id, s.generation, s.account_name, s.login_id, s.cast_as, s.contact_id, s.voter_name, s.votes, s.opened_at, s.expires_at,
      e.title, e.generation as current, e.state, e.seats, (select count(*)::int from election_option o where o.election_id = e.election_id) as options,
      coalesce(v.voter_name, p.voter_name) as voted_by, a.account_status,
      case when e.roll_frozen_at is not null and s.account_name is not null
        then coalesce((select r.votes from election_roll r where r.election_id = e.election_id and r.account_name = s.account_name), 0) end as roll_votes,
      exists (select from election_proxy p where p.election_id = e.election_id and p.account_name = s.account_name and ${stands}) as proxy
    from ballot_session s join election e using (election_id) left join account a using (account_name)
    left join election_vote v on v.election_id = e.election_id and v.generation = e.generation and v.account_name = s.account_name
    left join attendee_vote p on p.election_id = e.election_id and p.generation = e.generation and p.login_id = s.login_id
    where s.voter_id = ${voter}::uuid`);
  if (!facts) throw refuse('VOTE_REPORT_REFUSED', { why: 'there is no such voter' });
  return facts;
}

/** Checks a vote cast at an instant. @returns whether it is new @throws Failure VOTE_REPORT_REFUSED */
function isNews(
  { openedAt, expiresAt, generation, current, state, votedBy, castAs, proxy }: VoteFacts,
  votedAt: number,
  now: number,
): boolean {
  if (votedAt > now + SKEW_MS) throw refuse('VOTE_REPORT_REFUSED', { why: 'votedAt is in the future' });
  if (votedAt < Date.parse(openedAt) - SKEW_MS - ballotMinutes * MINUTE_MS || votedAt > Date.parse(expiresAt) + SKEW_MS)
    throw refuse('VOTE_REPORT_REFUSED', { why: 'the hand-over did not hold at that time' });
  if (generation !== current) throw refuse('VOTE_REPORT_REFUSED', { why: 'the vote is taken again in another round' });
  if (state !== 'published') throw refuse('VOTE_REPORT_REFUSED', { why: 'the election is cancelled' });
  if (votedBy !== null) return false;
  if (castAs === 'member' && proxy) throw refuse('VOTE_REPORT_REFUSED', { why: 'a proxy votes for this voter' });
  if (castAs === 'proxy' && !proxy) throw refuse('VOTE_REPORT_REFUSED', { why: 'the proxy was withdrawn' });
  return true;
}

/**
 * SQL: records the votes of an account or attendee as cast, marks its proxy as used, and names the voter in the activity line. `vote` is empty if
 * they were already cast.
 */
const keepVote = (
  change: Change,
  { electionId, generation, accountName, loginId, votes, castAs, contactId, voterName, title }: VoteFacts,
  votedAt: string,
) => sql`
  vote as (${
    castAs === 'attendee'
      ? sql`insert into attendee_vote (election_id, generation, login_id, voter_name, cast_at)
    values (${Number(electionId)}, ${generation}, ${loginId}, ${voterName}, ${votedAt}::timestamptz) on conflict do nothing returning election_id`
      : sql`insert into election_vote (election_id, generation, account_name, votes, cast_as, cast_by, voter_name, cast_at)
    values (${Number(electionId)}, ${generation}, ${accountName}, ${votes}, ${castAs}, ${contactId}::uuid, ${voterName}, ${votedAt}::timestamptz)
    on conflict do nothing returning election_id`
  }),
  used as (update election_proxy set state = 'used' where ${castAs === 'proxy'} and election_id = ${Number(electionId)} and account_name = ${accountName} and state = 'active'),
  said as (update activity set account_name = ${accountName}, details = details || ${JSON.stringify({ election: title, votes, castAs })}::jsonb where activity_id = ${change.activityId})`;

/** Records that a voter has voted, like `keepReportedVote`, using the key shared with the outside voting system. @throws Failure VOTE_REPORT_REFUSED */
export async function reportVote({ change, body, registry: { config } }: Act<typeof ballots.reportVote>): Promise<void> {
  await keepReportedVote(change, body, config.votingSystemSecret);
}

/**
 * Records that a voter has voted, as reported by a voting system. A repeated report changes nothing. Contacts are notified by `announceVotes`.
 * @param secret the key of the report's signature
 * @returns whether it was new @throws Failure VOTE_REPORT_REFUSED
 */
export async function keepReportedVote(change: Change, report: BodyOf<typeof ballots.reportVote>, secret: string): Promise<boolean> {
  if (!isReportSigned(secret, report)) throw refuse('VOTE_REPORT_REFUSED', { why: 'the signature is not that of the voting system' });
  const facts = await lockVoter(change, report.voter);
  const votedAt = Date.parse(report.votedAt);
  if (!isNews(facts, votedAt, Date.parse(change.now))) return false;
  if (facts.rollVotes !== null && facts.rollVotes !== facts.votes)
    throw refuse('VOTE_REPORT_REFUSED', { why: `the ballot was opened with ${facts.votes} votes, and the roll gives ${facts.rollVotes}` });
  await change.rows(sql`with ${keepVote(change, facts, new Date(votedAt).toISOString())} select 1 from vote`);
  return true;
}

/**
 * Records that a voter has voted and stores the anonymous ballot in one statement: both or neither. @param secrets settings with the key of the round's sum
 * @param allows checks the choices by the seats and the number of options
 * @returns `cast`; `repeated` if the voter has already voted; `receipt-in-use`
 * @throws Failure VOTE_REPORT_REFUSED, and what `allows` throws
 */
export async function castOwnBallot(
  change: Change,
  { voter, votes }: { voter: string; votes: number },
  { receipt, choices: chosen, secrets }: { receipt: string; choices: readonly number[]; secrets: Secrets },
  allows: (facts: { seats: number | null; options: number }) => void,
): Promise<'cast' | 'repeated' | 'receipt-in-use'> {
  const facts = await lockVoter(change, voter);
  allows(facts);
  if (!isNews(facts, Date.parse(change.now), Date.parse(change.now))) return 'repeated';
  const { electionId, generation, accountName, accountStatus } = facts;
  const given = facts.rollVotes ?? facts.votes;
  if (votes !== given || facts.votes !== given)
    throw refuse('BALLOT_CLOSED', {
      why: `the ballot was opened with ${votes} votes, and ${accountName ?? 'its voter'} has ${given} since the votes were frozen. Open it from the portal again`,
    });
  if (accountStatus !== null && accountStatus !== 'open')
    throw refuse('BALLOT_CLOSED', { why: `${accountName ?? ''} is ${accountStatus}. Only open accounts can vote` });
  const choices = chosen.toSorted((a, b) => a - b);
  const [done] = await change.rows<{ voted: boolean; kept: boolean | null }>(sql`
    with ${keepVote(change, facts, change.now)},
    kept as (select ballots.store(${receipt}, ${Number(electionId)}, ${generation}, ${votes}, ${choices}::int[]) as stored from vote)
    select exists (select from vote) as voted, (select stored from kept) as kept`);
  if (done!.kept) await addToSum(change, secrets, { electionId: Number(electionId), generation, receipt, votes, choices });
  return !done!.voted ? 'repeated' : done!.kept ? 'cast' : 'receipt-in-use';
}
