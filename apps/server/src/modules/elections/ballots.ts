import type { AnswerOf, BodyOf } from '@portal/contract';
import { type ballots, ballotMinutes } from '@portal/contract/elections/ballots';
import { MINUTE_MS } from '@portal/contract/days';
import { electionKinds } from '@portal/contract/elections/elections';
import { sql } from 'kysely';
import type { Caller } from '../../platform/caller.ts';
import { type Change, type Database, ownActivity, type Read } from '../../platform/database/index.ts';
import type { AdmittedAccount } from '../../platform/endpoints.ts';
import { refuse } from '../../platform/failure.ts';
import { activeContacts, actorOf, lockAccount } from '../accounts/index.ts';
import { hasUnpaidInvoiceDueBefore } from '../billing/index.ts';
import type { Mailing } from '../contacts/index.ts';
import { notifyPeople } from '../identity/index.ts';
import { sendMail } from '../mail/index.ts';
import { readElection } from './election-row.ts';
import { memberVoteEligibility } from './eligibility.ts';
import { handOverAddress, isReportSigned, type VotingSystem } from './hand-over.ts';
import { accountInElections } from './roll.ts';
import { votingWeightOf } from './weight.ts';

type When = { now: Date; today: string };
/** Clocks of two systems differ by so much at most. */
const SKEW_MS = MINUTE_MS / 2;
type Session = {
  voterId: string;
  electionId: string;
  generation: number;
  accountName: string;
  castAs: 'MEMBER' | 'PROXY';
  contactId: string | null;
  voterName: string;
  votes: number;
  openedAt: string;
  expiresAt: string;
};

/** The one voter of an account (or of its proxy) in a round: opening the ballot again gives the same one more time. */
async function openSession(change: Change, given: Omit<Session, 'voterId'>): Promise<Session> {
  const { electionId, generation, accountName, castAs, contactId, voterName, votes, openedAt, expiresAt } = given;
  const [row] = await change.rows<{ voterId: string }>(sql`
    insert into ballot_session (election_id, generation, account_name, cast_as, contact_id, voter_name, votes, opened_at, expires_at)
    values (${Number(electionId)}, ${generation}, ${accountName}, ${castAs}, ${contactId}::uuid, ${voterName}, ${votes}, ${openedAt}::timestamptz, ${expiresAt}::timestamptz)
    on conflict (election_id, generation, account_name, cast_as) do update set contact_id = excluded.contact_id, voter_name = excluded.voter_name,
      opened_at = excluded.opened_at, expires_at = excluded.expires_at
    returning voter_id`);
  return { ...given, voterId: row!.voterId };
}

/**
 * Opens the ballot of an account. Everything that decides whether the caller may vote is checked again, with the account held.
 * @param secret of the voting system outside; empty: it signs voters in itself, and its plain address is answered
 * @param own the ballots of the registry, for windows without an address
 * @throws Failure NOT_FOUND, VOTES_CAST, PROXY_APPOINTED, BALLOT_CLOSED with the reason
 */
export async function openBallot(
  change: Change,
  account: AdmittedAccount,
  caller: Caller,
  electionId: string,
  { secret, own: ownSystem, now, today }: When & { secret: string; own: VotingSystem },
): Promise<AnswerOf<typeof ballots.openBallot>> {
  const { accountName } = account;
  const actor = await actorOf(change, account);
  const { accountStatus } = await lockAccount(change, accountName);
  const election = await readElection(change, electionId, now);
  const window = election.windows.find(({ kind }) => kind === 'MEMBER_VOTE');
  if (election.publishedAt === null || !window) throw refuse('NOT_FOUND', { what: 'The election' });
  if (election.state === 'CANCELLED') throw refuse('BALLOT_CLOSED', { why: 'the election is cancelled' });
  const own = (await accountInElections(change, accountName, [election.electionId])).get(election.electionId)!;
  if (own.votedBy !== null) throw refuse('VOTES_CAST');
  if (own.proxy !== null) throw refuse('PROXY_APPOINTED', { name: own.proxy, account: accountName });
  const owes = await hasUnpaidInvoiceDueBefore(change, accountName, today);
  const voter = { ...account, accountStatus, mfa: caller.mfa, owes, proxy: null, votedBy: null };
  const { reason, message, detail } = memberVoteEligibility(election.kind, voter, window);
  if (reason !== null) throw refuse('BALLOT_CLOSED', { why: [message, detail].filter(Boolean).join('. ') });
  const ofTier = electionKinds[election.kind].memberVotes === 'tier';
  const votes = own.votes ?? (own.frozen ? null : ofTier ? (await votingWeightOf(change, account)).votes : 1);
  if (votes === null) throw refuse('BALLOT_CLOSED', { why: `${accountName} wasn’t a member when voting opened` });
  const ends = Math.min(now.getTime() + ballotMinutes * MINUTE_MS, Date.parse(window.closesAt));
  const session = await openSession(change, {
    electionId: election.electionId,
    generation: election.generation,
    accountName,
    castAs: 'MEMBER',
    contactId: actor.contactId,
    voterName: actor.name,
    votes,
    openedAt: now.toISOString(),
    expiresAt: new Date(ends).toISOString(),
  });
  await change.note({ election: election.title, votes });
  const { expiresAt } = session;
  return {
    url:
      window.url === ''
        ? handOverAddress(ownSystem.url, ownSystem.secret, { ...session, voter: session.voterId })
        : secret === ''
          ? window.url
          : handOverAddress(window.url, secret, { ...session, voter: session.voterId }),
    expiresAt,
    votes,
  };
}

/** Returns who opened the ballot of an account in the last minutes and has not cast it: until then no proxy is appointed. */
export async function openBallotOf(
  read: Read,
  accountName: string,
  electionId: string,
  now: Date,
): Promise<{ voterName: string; expiresAt: string } | null> {
  const [row] = await read.rows<{ voterName: string; expiresAt: string }>(sql`
    select s.voter_name, s.expires_at from ballot_session s join election e using (election_id)
    where s.election_id = ${Number(electionId)} and s.account_name = ${accountName} and s.generation = e.generation and s.cast_as = 'MEMBER'
      and s.expires_at > ${now.toISOString()}::timestamptz`);
  return row ?? null;
}

/**
 * Keeps that a voter has voted, as the voting system reports it. A report that arrives twice changes nothing.
 * @returns whether it was news
 * @throws Failure VOTE_REPORT_REFUSED
 */
export async function reportVote(change: Change, report: BodyOf<typeof ballots.reportVote>, secret: string): Promise<boolean> {
  if (!isReportSigned(secret, report)) throw refuse('VOTE_REPORT_REFUSED', { why: 'the signature is not that of the voting system' });
  const [session] = await change.rows<Session & { title: string; current: number }>(sql`
    select s.voter_id, s.election_id::text as election_id, s.generation, s.account_name, s.cast_as, s.contact_id, s.voter_name, s.votes, s.opened_at, s.expires_at,
      e.title, e.generation as current from ballot_session s join election e using (election_id) where s.voter_id = ${report.voter}::uuid`);
  if (!session) throw refuse('VOTE_REPORT_REFUSED', { why: 'there is no such voter' });
  await lockAccount(change, session.accountName);
  const votedAt = Date.parse(report.votedAt);
  if (votedAt > Date.parse(change.now) + SKEW_MS) throw refuse('VOTE_REPORT_REFUSED', { why: 'votedAt is in the future' });
  if (votedAt < Date.parse(session.openedAt) - SKEW_MS - ballotMinutes * MINUTE_MS || votedAt > Date.parse(session.expiresAt) + SKEW_MS)
    throw refuse('VOTE_REPORT_REFUSED', { why: 'the hand-over did not hold at that time' });
  if (session.generation !== session.current) throw refuse('VOTE_REPORT_REFUSED', { why: 'the vote is taken again in another round' });
  const { electionId, generation, accountName, votes, castAs, contactId, voterName } = session;
  const own = (await accountInElections(change, accountName, [electionId])).get(electionId)!;
  if (own.votedBy !== null) return false;
  if (castAs === 'MEMBER' && own.proxy !== null) throw refuse('VOTE_REPORT_REFUSED', { why: 'a proxy votes for this voter' });
  if (castAs === 'PROXY' && own.proxy === null) throw refuse('VOTE_REPORT_REFUSED', { why: 'the proxy was withdrawn' });
  await change.concerns(accountName);
  await change
    .insertInto('electionVote')
    .values({
      electionId: Number(electionId),
      generation,
      accountName,
      votes,
      castAs,
      castBy: contactId,
      voterName,
      castAt: new Date(votedAt).toISOString(),
    })
    .execute();
  if (castAs === 'PROXY')
    await change
      .updateTable('electionProxy')
      .set({ state: 'USED' })
      .where('electionId', '=', Number(electionId))
      .where('accountName', '=', accountName)
      .where('state', '=', 'ACTIVE')
      .execute();
  await change.note({ election: session.title, votes, castAs });
  await notifyPeople(
    change,
    {
      topic: 'elections.votes',
      accountName,
      subject: `${accountName} voted in ${session.title}`,
      body: [`${voterName} cast the votes of ${accountName} (${votes}) in “${session.title}”. They can’t be changed or withdrawn.`],
      path: '/voting/history',
      act: 'View voting history',
    },
    await activeContacts(change, accountName, { permission: 'voting-vote' }),
  );
  return true;
}

/** Sends proxies their way to the ballot once their window has opened, each once. Voting systems outside need a shared secret. */
export async function inviteProxies(
  db: Database,
  now: Date,
  { secret, own, mailing }: { secret: string; own: VotingSystem; mailing: Mailing },
): Promise<void> {
  const at = sql`${now.toISOString()}::timestamptz`;
  type Due = {
    proxyId: number;
    accountName: string;
    electionId: string;
    fullName: string;
    email: string;
    title: string;
    generation: number;
    url: string;
    closesAt: string;
  };
  const due = await db.read.rows<Due>(sql`
    select p.election_proxy_id::int as proxy_id, p.account_name, p.election_id::text as election_id, p.full_name, p.email, e.title, e.generation, w.url, w.closes_at
    from election_proxy p join election e using (election_id) join election_window w on w.election_id = e.election_id and w.kind = 'PROXY_VOTE'
    where p.state = 'ACTIVE' and p.invited_at is null and e.state = 'PUBLISHED' and w.opens_at <= ${at} and w.closes_at > ${at}
      and (w.url = '' or ${secret !== ''}) limit 500`);
  for (const { proxyId, accountName, electionId, fullName, email, title, generation, url, closesAt } of due)
    await db.change(ownActivity('elections.inviteProxy', 'Sent a proxy the way to the ballot', accountName), async change => {
      await lockAccount(change, accountName);
      const invited = await change
        .updateTable('electionProxy')
        .set({ invitedAt: change.now })
        .where('electionProxyId', '=', proxyId)
        .where('state', '=', 'ACTIVE')
        .where('invitedAt', 'is', null)
        .returning('electionProxyId')
        .executeTakeFirst();
      const votes = (await accountInElections(change, accountName, [electionId])).get(electionId)?.votes ?? null;
      if (!invited || votes === null) return;
      const session = await openSession(change, {
        electionId,
        generation,
        accountName,
        castAs: 'PROXY',
        contactId: null,
        voterName: fullName,
        votes,
        openedAt: now.toISOString(),
        expiresAt: closesAt,
      });
      await sendMail(
        change,
        {
          topic: 'elections.votes',
          recipient: email,
          recipientName: fullName,
          subject: `Vote as the proxy of ${accountName} in ${title}`,
          body: `Voting of proxies is open in “${title}”. You cast the votes of ${accountName} (${votes}). The vote is final. Don’t pass this link on:\n{link}`,
          act: 'Vote as a proxy',
          link: handOverAddress(url || own.url, url === '' ? own.secret : secret, { ...session, voter: session.voterId }),
          answerBy: closesAt,
        },
        mailing.box,
      );
    });
}
