import { mayVote } from '@portal/contract';
import { instantAfter } from '@portal/contract/days';
import { ipv6BlocksOf, votingTierOf } from '@portal/contract/elections/voting-tiers';
import { electionKinds, type StaffElection } from '@portal/contract/elections/elections';
import { sql } from 'kysely';
import { type Change, type Database, frequent, ownActivity, type Read } from '../../platform/database/index.ts';
import { eachAlone } from '../../platform/each-alone.ts';
import { holdingsOfVoters } from '../resources/index.ts';
import { lockElection, readElections } from './election-row.ts';
import { fixedAheadMs, type ObjectionPolicy, rollDueAt } from './objection-time.ts';
import type { VotingPolicy } from './weight.ts';
import { stands } from './standing-proxy.ts';

/** Numbers of votes that accounts have in an election of a kind, the fewest first. */
export const possibleVotes = (kind: StaffElection['kind'], { votingTiers, nirVotes }: VotingPolicy): number[] =>
  electionKinds[kind].memberVotes === 'one'
    ? [1]
    : [...new Set([...votingTiers.map(({ votes }) => votes), nirVotes])].filter(votes => votes > 0).toSorted((a, b) => a - b);

/** Whether an account is one of those that vote: not closed, and of a type that votes. */
export async function isVoter(read: Pick<Read, 'rows'>, accountName: string): Promise<boolean> {
  const [account] = await read.rows<{ accountType: string }>(
    sql`select account_type from account where account_name = ${accountName} and account_status <> 'closed'`,
  );
  return account !== undefined && mayVote(account.accountType);
}

/**
 * Freezes the votes of every account in an election, once: by its holdings on its last membership anniversary. Later delegations, transfers and
 * mergers change nothing.
 * @returns how many accounts are on the roll; null if it was frozen before
 */
export async function freezeRoll(change: Change, electionId: string, { votingTiers, nirVotes }: VotingPolicy): Promise<number | null> {
  const election = await lockElection(change, electionId, new Date(change.now));
  const frozen = await change
    .updateTable('election')
    .set({ rollFrozenAt: change.now })
    .where('electionId', '=', Number(electionId))
    .where('rollFrozenAt', 'is', null)
    .returning('electionId')
    .executeTakeFirst();
  if (!frozen) return null;
  const rows = (await holdingsOfVoters(change)).map(({ accountName, nir, ipv4Addresses, ipv6Addresses }) => {
    if (electionKinds[election.kind].memberVotes === 'one') return { accountName, votes: 1, tier: '' };
    if (nir) return { accountName, votes: nirVotes, tier: '' };
    const held = { ipv4Addresses: BigInt(ipv4Addresses), ipv6Blocks: ipv6BlocksOf(BigInt(ipv6Addresses)) };
    const { votes, name } = votingTierOf(votingTiers, held);
    return { accountName, votes, tier: name };
  });
  await change.rows(sql`insert into election_roll (election_id, account_name, votes, tier)
    select ${Number(electionId)}, r.* from unnest(${rows.map(({ accountName }) => accountName)}::text[], ${rows.map(({ votes }) => votes)}::int[],
      ${rows.map(({ tier }) => tier)}::text[]) as r on conflict do nothing`);
  await change.note({ election: election.title, accounts: rows.length, votes: rows.reduce((sum, { votes }) => sum + votes, 0) });
  return rows.length;
}

/** Freezes the roll of a published election with encrypted ballots whose time for objections begins now: accounts see it from then on. */
export async function freezeIfDue(change: Change, election: StaffElection, policy: VotingPolicy & ObjectionPolicy): Promise<void> {
  const dueAt = election.ballots === 'encrypted' && election.state === 'published' ? rollDueAt(election, policy) : null;
  if (dueAt !== null && Date.parse(dueAt) <= Date.parse(change.now)) await freezeRoll(change, election.electionId, policy);
}

/** Returns the elections whose members vote now, or with encrypted ballots soon, and whose roll is not frozen yet. */
function rollsToFreeze(read: Read, now: Date, policy: ObjectionPolicy): Promise<StaffElection[]> {
  const at = sql`${now.toISOString()}::timestamptz`;
  const ahead = sql`${instantAfter(now.getTime(), fixedAheadMs(policy))}::timestamptz`;
  return readElections(
    read,
    sql`where state = 'published' and roll_frozen_at is null and exists (select from election_window w where w.election_id = election.election_id and w.closes_at > ${at}
      and ((w.kind in ('member-vote', 'proxy-appoint') and w.opens_at <= ${at}) or (ballots = 'encrypted' and w.kind in ('member-vote', 'proxy-vote') and w.opens_at <= ${ahead})))`,
    now,
  );
}

/** Freezes the rolls of elections whose voting has opened, and those of encrypted ballots while there is time to object; safe to run again at any moment. */
export async function freezeRolls(db: Database, now: Date, policy: VotingPolicy & ObjectionPolicy): Promise<void> {
  await eachAlone(
    await rollsToFreeze(db.read, now, policy),
    ({ electionId }) => `election ${electionId}`,
    ({ electionId }) =>
      db.change(ownActivity('elections.freezeRoll', 'Froze the votes of an election'), async change => {
        await freezeRoll(change, electionId, policy);
      }),
  );
}

/** The actions of an account in one election so far, and its frozen votes; `votes` is null before the roll is frozen. */
export type AccountInElection = {
  electionId: string;
  votes: number | null;
  frozen: boolean;
  proxy: string | null;
  votedBy: string | null;
  votedAt: string | null;
};

/** Returns an account's state in each of these elections. */
export async function accountInElections(
  read: Read,
  accountName: string,
  electionIds: readonly string[],
): Promise<Map<string, AccountInElection>> {
  const rows =
    electionIds.length === 0
      ? []
      : await read.rows<AccountInElection>(
          frequent(sql`
    select e.election_id::text as election_id, e.roll_frozen_at is not null as frozen, r.votes, p.full_name as proxy, v.voter_name as voted_by, v.cast_at as voted_at
    from election e
    left join election_roll r on r.election_id = e.election_id and r.account_name = ${accountName}
    left join election_proxy p on p.election_id = e.election_id and p.account_name = ${accountName} and ${stands}
    left join election_vote v on v.election_id = e.election_id and v.account_name = ${accountName} and v.generation = e.generation
    where e.election_id = any (${electionIds.map(Number)}::bigint[])`),
        );
  return new Map(rows.map(row => [row.electionId, row]));
}
