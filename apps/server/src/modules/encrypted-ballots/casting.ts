import { isRowId } from '@portal/contract/row-ids';
import type { AnswerOf } from '@portal/contract';
import type { ballotCasting } from '@portal/contract/encrypted-ballots/casting';
import type { StaffElection } from '@portal/contract/elections/elections';
import { sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { readApart } from '../../platform/reading-apart.ts';
import { lockAccount } from '../accounts/index.ts';
import { accountInElections, admitVoter, optionsOf, readElection } from '../elections/index.ts';
import { appendToArchive, archiveEnd } from './archive.ts';
import type { read as verifyApart, VerifiedBallot } from './ballot-thread.ts';
import { lockBallotState } from './ballot-state.ts';
import { countObjections } from './objections.ts';
import { trackerOf, votingRightOf } from './protocol.ts';
import { ballotRefused } from './refused.ts';
import { castingThreads } from './threads.ts';

const verifiers = castingThreads.map(thread => readApart<typeof verifyApart>(new URL('./ballot-thread.ts', import.meta.url), thread));

/** Verifies a ballot in one of the threads: those of an account always in the same one, where they take turns with those of others. */
const verify: (typeof verifiers)[number] = (sender, given, field) => {
  const place = Buffer.from(sender).reduce((sum, byte) => (sum * 31 + byte) % 65_536, 7);
  return verifiers[place % verifiers.length]!(sender, given, field);
};

/** The questions of an encrypted ballot that is open. @throws Failure NOT_FOUND, BALLOT_CLOSED */
async function openBallotForm(
  read: Read,
  electionId: string,
  { now, kind }: { now: Date; kind: 'member-vote' | 'proxy-vote' },
): Promise<Pick<AnswerOf<typeof ballotCasting.getBallotForm>, 'parameters' | 'closesAt' | 'authority'>> {
  const election = await readElection(read, electionId, now);
  const window = election.windows.find(each => each.kind === kind);
  if (election.publishedAt === null || election.ballots !== 'encrypted' || !window) throw refuse('NOT_FOUND', { what: 'The election' });
  if (election.state === 'cancelled') throw refuse('BALLOT_CLOSED', { why: 'the election is cancelled' });
  if (window.state !== 'open') throw refuse('BALLOT_CLOSED', { why: window.words });
  const [row] = await read.rows<{ parameters: string | null; fullName: string; email: string }>(sql`
    select b.parameters, l.full_name, l.email from encrypted_ballot b join login l on l.login_id = b.authority where b.election_id = ${Number(electionId)}`);
  if ((await countObjections(read, electionId)).open > 0)
    throw refuse('BALLOT_CLOSED', { why: 'an objection to the roll isn’t decided yet. Voting opens once it is' });
  if (!row?.parameters) throw refuse('BALLOT_CLOSED', { why: 'it isn’t set up' });
  return { parameters: row.parameters, closesAt: window.closesAt, authority: { fullName: row.fullName, email: row.email } };
}

/** The form of an encrypted ballot: what a browser encrypts with. @throws Failure NOT_FOUND, BALLOT_CLOSED */
export async function getBallotForm({
  read,
  account: { accountName },
  params: { electionId },
  registry: { now },
}: Act<typeof ballotCasting.getBallotForm>): Promise<AnswerOf<typeof ballotCasting.getBallotForm>> {
  return formFor(read, { electionId, accountName, now, kind: 'member-vote' });
}

/** An account whose ballot is cast in an election, and in which window. */
type Voting = { electionId: string; accountName: string; now: Date; kind: 'member-vote' | 'proxy-vote' };

/** The form of an encrypted ballot of an account, for a contact or its proxy. @throws Failure NOT_FOUND, BALLOT_CLOSED */
export async function formFor(
  read: Read,
  { electionId, accountName, ...window }: Voting,
): Promise<AnswerOf<typeof ballotCasting.getBallotForm>> {
  const form = await openBallotForm(read, electionId, window);
  const own = (await accountInElections(read, accountName, [electionId])).get(electionId);
  const answers = await optionsOf(read, electionId);
  return { ...form, votes: own?.votes ?? null, statements: answers.map(({ statement }) => statement) };
}

/** Trackers of the ballots in an archive, as everyone sees them. @throws Failure NOT_FOUND before the election is published, and for other ballots */
export async function listTrackers({
  read,
  params: { electionId },
}: Act<typeof ballotCasting.listTrackers>): Promise<AnswerOf<typeof ballotCasting.listTrackers>> {
  const notFound = () => refuse('NOT_FOUND', { what: 'The archive' });
  if (!isRowId(electionId)) throw notFound();
  const [published] = await read.rows(
    sql`select 1 as published from election where election_id = ${Number(electionId)} and published_at is not null`,
  );
  const end = published ? await archiveEnd(read, electionId) : null;
  if (!end) throw notFound();
  const rows = await read.rows<{ tracker: string; votes: number }>(
    sql`select tracker, votes from ballot_event where election_id = ${Number(electionId)} and kind = 'Ballot' order by tracker`,
  );
  return { rows, archiveHash: end.hash };
}

type Casting = Act<typeof ballotCasting.castBallot>;

/**
 * Verifies the proofs of a ballot in a thread, before its change: no connection waits for that. Where the account has voted, only the ballot that it cast is looked at again.
 * @throws Failure NOT_FOUND, BALLOT_CLOSED, VOTES_CAST, BALLOT_REFUSED, TOO_MANY_REQUESTS
 */
export const verifyCastBallot = ({
  read,
  account: { accountName },
  params: { electionId },
  body: { ballot },
  registry: { now },
}: Omit<Casting, 'change'> & { read: Read }): Promise<VerifiedBallot> =>
  verifyFor(read, { electionId, accountName, now, kind: 'member-vote' }, ballot);

/** The same for a contact or the proxy of an account. @throws Failure as `verifyCastBallot` */
export async function verifyFor(read: Read, { electionId, accountName, ...window }: Voting, ballot: string): Promise<VerifiedBallot> {
  const { parameters } = await openBallotForm(read, electionId, window);
  const own = (await accountInElections(read, accountName, [electionId])).get(electionId)!;
  if (own.votedBy !== null) {
    const tracker = await trackerOf(ballot);
    const [kept] = await read.rows(
      sql`select 1 as kept from ballot_event where election_id = ${Number(electionId)} and tracker = ${tracker}`,
    );
    if (!kept) throw refuse('VOTES_CAST');
  }
  return verify(accountName, { parameters, ballot }, 'ballot');
}

/**
 * Casts an encrypted ballot for a contact: that the account has voted, and the ballot, are stored in one transaction; the archive has one more event. The same ballot sent again by its
 * account is answered as the one that was cast.
 * @throws Failure NOT_FOUND, BALLOT_CLOSED, VOTES_CAST, PROXY_APPOINTED, BALLOT_REFUSED for a credential that is not of the account, has other votes than the roll, or has voted
 */
export const castBallot = (act: Casting, verified: VerifiedBallot): Promise<AnswerOf<typeof ballotCasting.castBallot>> =>
  castFor(act.change, { electionId: act.params.electionId, accountName: act.account.accountName, ...act.body }, verified, async () => {
    const { election, actor, votes } = await admitVoter(act);
    return { election, votes, castAs: 'member', contactId: actor.contactId, voterName: actor.name };
  });

/** Who casts the votes of an account, once that was admitted. */
export type AdmittedBallot = {
  election: Pick<StaffElection, 'title' | 'generation'>;
  votes: number;
  castAs: 'member' | 'proxy';
  contactId: string | null;
  voterName: string;
};

/**
 * Casts a ballot of an account. The account is locked first, so that of a contact and a proxy, or of two contacts, one casts it.
 * @param admit checks completely whether the caller may cast the votes now
 * @throws Failure as `castBallot`
 */
export async function castFor(
  change: Change,
  { electionId, accountName, ballot, rightKey }: { electionId: string; accountName: string; ballot: string; rightKey: string },
  { tracker, credential, credentialHash }: VerifiedBallot,
  admit: () => Promise<AdmittedBallot>,
): Promise<AnswerOf<typeof ballotCasting.castBallot>> {
  const right = await votingRightOf(rightKey, accountName, credential);
  await lockAccount(change, accountName);
  const [known] = await change.rows<{ isRight: boolean; votes: number | null; castVotes: number | null }>(sql`
    select exists (select from voting_right r where r.election_id = e.election_id and r.right_hash = ${right}) as is_right,
      (select c.votes from ballot_credential c where c.election_id = e.election_id and c.credential_hash = ${credentialHash}) as votes,
      (select b.votes from ballot_event b where b.election_id = e.election_id and b.tracker = ${tracker}) as cast_votes
    from election e where e.election_id = ${Number(electionId)}`);
  const answered = (votes: number) => ({ tracker, trackerHex: Buffer.from(tracker, 'base64').toString('hex'), votes });
  if (known!.isRight && known!.castVotes !== null && (await hasVoted(change, accountName, electionId))) return answered(known!.castVotes);
  const { election, votes, castAs, contactId, voterName } = await admit();
  if (known!.votes === null) throw ballotRefused('its credential is not of this election');
  if (!known!.isRight) throw ballotRefused(`its credential is not the one of ${accountName}`);
  if (known!.votes !== votes) throw ballotRefused(`its credential has other votes than the roll gives ${accountName}`);
  // Ballots follow one another here: each event refers to the one before it.
  const { setUpAt } = await lockBallotState(change, electionId);
  const end = await archiveEnd(change, electionId);
  if (setUpAt === null || end === null || (end.kind !== 'Setup' && end.kind !== 'Ballot'))
    throw refuse('BALLOT_CLOSED', { why: 'voting is over' });
  const [used] = await change.rows(
    sql`select 1 as used from ballot_event where election_id = ${Number(electionId)} and credential_hash = ${credentialHash}`,
  );
  if (used) throw ballotRefused('its credential has voted');
  await appendToArchive(change, { electionId, setUpAt }, 'Ballot', [ballot], { tracker, credentialHash, votes });
  await change.rows(sql`insert into election_vote (election_id, generation, account_name, votes, cast_as, cast_by, voter_name, cast_at)
    values (${Number(electionId)}, ${election.generation}, ${accountName}, ${votes}, ${castAs}, ${contactId}::uuid, ${voterName}, ${change.now}::timestamptz)`);
  await change.note({ election: election.title, votes, ...(castAs === 'proxy' && { castAs }) });
  return answered(votes);
}

const hasVoted = async (change: Change, accountName: string, electionId: string): Promise<boolean> =>
  (await accountInElections(change, accountName, [electionId])).get(electionId)!.votedBy !== null;
