import type { StaffElection } from '@portal/contract/elections/elections';
import type { ElectionOption, electionOptions } from '@portal/contract/elections/options';
import { sql } from 'kysely';
import { type Change, lockByName, type Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { activeContacts } from '../accounts/index.ts';
import { notifyPeople } from '../identity/index.ts';
import { roundLock } from './ballots.ts';
import { lockElection, readElection, wasSetUp } from './election-row.ts';
import { lockCurrent } from './elections.ts';
import { electionsTexts } from './mail-texts.ts';

const voteKinds: readonly string[] = ['member-vote', 'proxy-vote', 'attendee-vote'];

/** Candidates or answers of an election, in the order of the ballot. */
export const optionsOf = (read: Read, electionId: string): Promise<ElectionOption[]> =>
  read.selectFrom('electionOption').select(['name', 'statement']).where('electionId', '=', Number(electionId)).orderBy('place').execute();

/** @throws Failure NOT_FOUND */
export async function listOptions({
  read,
  params: { electionId },
  registry: { now },
}: Act<typeof electionOptions.listOptions>): Promise<{ rows: ElectionOption[] }> {
  await readElection(read, electionId, now);
  return { rows: await optionsOf(read, electionId) };
}

/**
 * Whether the options are fixed because voting has opened, or because an encrypted ballot was set up, also where it is set up again. An empty ballot of the registry's own isn't, as no one can have voted on it: nominees
 * checked late, or while the worker was down, can still be added.
 */
export async function isBallotFixed(read: Read, { electionId, publishedAt, windows }: StaffElection): Promise<boolean> {
  if (await wasSetUp(read, electionId)) return true;
  const votes = windows.filter(({ kind }) => voteKinds.includes(kind));
  if (publishedAt === null || votes.every(({ state }) => state === 'not-yet-open')) return false;
  return votes.every(({ url }) => url !== '') || (await optionsOf(read, electionId)).length > 0;
}

/** Replaces the options on the ballot, until they are fixed. @throws Failure NOT_FOUND, ELECTION_OVER, ELECTION_BEGUN */
export async function saveOptions({
  change,
  params: { electionId },
  body: { rows },
}: {
  change: Change;
  params: { electionId: string };
  body: { rows: readonly ElectionOption[] };
}): Promise<{ rows: ElectionOption[] }> {
  const election = await lockElection(change, electionId, new Date(change.now));
  if (election.state === 'cancelled' || election.state === 'closed') throw refuse('ELECTION_OVER', { state: election.state });
  if (await isBallotFixed(change, election))
    throw refuse('ELECTION_BEGUN', {
      why: (await wasSetUp(change, electionId)) ? 'The encrypted ballot is set up with these answers' : 'Voting has opened',
    });
  const id = Number(electionId);
  await change.deleteFrom('electionOption').where('electionId', '=', id).execute();
  if (rows.length > 0)
    await change
      .insertInto('electionOption')
      .values(rows.map((row, index) => ({ electionId: id, place: index + 1, ...row })))
      .execute();
  await change.note({ election: election.title, options: rows.map(({ name }) => name) });
  return { rows: await optionsOf(change, electionId) };
}

/**
 * Repeats a vote in another round: cast votes are void, used proxies are valid again, and voters are notified. The frozen roll stays.
 * @throws Failure NOT_FOUND, STALE, ELECTION_OVER, ELECTION_BEGUN for encrypted ballots
 */
export async function resetElection({
  change,
  params: { electionId },
  body: { version, reason },
}: {
  change: Change;
  params: { electionId: string };
  body: { version: number; reason: string };
}): Promise<{ generation: number; voided: number }> {
  const election = await lockCurrent(change, electionId, version);
  if (election.state !== 'published') throw refuse('ELECTION_OVER', { state: election.state });
  // A credential votes once: a vote on encrypted ballots is repeated with new ones.
  if (await wasSetUp(change, electionId))
    throw refuse('ELECTION_BEGUN', { why: 'A vote on encrypted ballots is repeated as another election. Cancel this one, and say why' });
  // Votes being cast are finished first; waiting ones find the new round.
  await lockByName(change, roundLock(electionId));
  const generation = election.generation + 1;
  await change
    .updateTable('election')
    .set({ generation, version: version + 1 })
    .where('electionId', '=', Number(electionId))
    .execute();
  await change.rows(
    sql`update election_proxy set state = 'active', invited_at = null where election_id = ${Number(electionId)} and state = 'used'`,
  );
  // Proxies that got the link for the previous round get the one for this round.
  await change.rows(sql`update election_proxy set invited_at = null where election_id = ${Number(electionId)} and state = 'active'`);
  const voted = await change
    .selectFrom('electionVote')
    .select('accountName')
    .where('electionId', '=', Number(electionId))
    .where('generation', '=', election.generation)
    .orderBy('accountName')
    .execute();
  for (const { accountName } of voted)
    await notifyPeople(
      change,
      {
        topic: 'elections.votes',
        accountName,
        text: electionsTexts.written('voteAgain', { title: election.title, accountName, reason }),
        path: '/voting',
        act: 'View the election',
      },
      await activeContacts(change, accountName, { permission: 'voting-vote' }),
    );
  const attended = await change.rows<{ loginId: string; fullName: string; email: string }>(
    sql`select l.login_id, l.full_name, l.email from attendee_vote v join login l using (login_id)
      where v.election_id = ${Number(electionId)} and v.generation = ${election.generation} order by l.login_id`,
  );
  for (const person of attended)
    await notifyPeople(
      change,
      {
        topic: 'elections.votes',
        accountName: null,
        text: electionsTexts.written('attendeeVotesAgain', { title: election.title, reason }),
        path: '/voting',
        act: 'View the election',
      },
      [person],
    );
  const voided = voted.length + attended.length;
  await change.note({ election: election.title, round: generation, voided, reason });
  return { generation, voided };
}
