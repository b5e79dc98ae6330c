import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { type Invariant, MAX_VIOLATIONS, type Violation } from '../../platform/invariant.ts';
import { derivedKeys, type Secrets } from '../../platform/secret-box.ts';

/** A ballot for counting. */
type Ballot = { electionId: number; generation: number; receipt: string; votes: number; choices: readonly number[] };

const xor = (a: Uint8Array, b: Uint8Array): Buffer => Buffer.from(a.map((byte, place) => byte ^ b[place]!));
const SIZE = 32;

/** The contribution of one ballot to the sum of its round (`ballot_sum`). */
function partOf(key: Buffer, { electionId, generation, receipt, votes, choices }: Ballot): Buffer {
  return createHmac('sha256', key)
    .update(JSON.stringify([electionId, generation, receipt, votes, choices]))
    .digest();
}

const keysOf = (secrets: Secrets): readonly Buffer[] => derivedKeys(secrets, 'ballot sums');

/** Adds a cast ballot to the sum of its round. */
export async function addToSum(change: Change, secrets: Secrets, ballot: Ballot): Promise<void> {
  const { electionId, generation } = ballot;
  const [key] = keysOf(secrets);
  await change.rows(sql`insert into ballot_sum (election_id, generation, ballots, sum) values (${electionId}, ${generation}, 0, ${Buffer.alloc(SIZE)})
    on conflict (election_id, generation) do nothing`);
  const [row] = await change
    .selectFrom('ballotSum')
    .select('sum')
    .where('electionId', '=', electionId)
    .where('generation', '=', generation)
    .forUpdate()
    .execute();
  const sum = xor(row!.sum, partOf(key!, ballot));
  await change.rows(
    sql`update ballot_sum set ballots = ballots + 1, sum = ${sum} where election_id = ${electionId} and generation = ${generation}`,
  );
}

/** Rounds in which someone voted, with their sums. */
const rounds = sql<{ electionId: number; generation: number; title: string; ballots: number | null; sum: Buffer | null; voters: number }>`
  select e.election_id::int as election_id, round as generation, e.title, s.ballots, s.sum, v.voters from election e cross join generate_series(1, e.generation) round
    left join ballot_sum s on s.election_id = e.election_id and s.generation = round
    cross join lateral (select (select count(*)::int from election_vote v where v.election_id = e.election_id and v.generation = round)
      + (select count(*)::int from attendee_vote v where v.election_id = e.election_id and v.generation = round) as voters) v
  where e.ballots = 'plain' and v.voters > 0 and exists (select from election_window w where w.election_id = e.election_id and w.url = '' and w.kind in ('member-vote', 'proxy-vote', 'attendee-vote'))
  order by 1, 2`;

/** The ballots of a round if this role can read them; null if they are in the box of a running vote and the role may not. */
async function ballotsOf(read: Pick<Read, 'rows'>, electionId: number, generation: number): Promise<Ballot[] | null> {
  const [access] = await read.rows<{
    mayRead: boolean;
    boxed: number;
  }>(sql`select has_table_privilege('ballots.ballot', 'select') as may_read,
    ballots.count_of(${electionId}, ${generation}) as boxed`);
  if (access!.boxed > 0 && !access!.mayRead) {
    const published = await read.rows<Ballot>(
      sql`select ${electionId}::int as election_id, ${generation}::int as generation, receipt, votes, choices from ballots.published(${electionId}, ${generation})`,
    );
    return published.length === access!.boxed ? published : null;
  }
  const boxed = access!.boxed > 0 ? sql`union all select election_id::int, generation, receipt, votes, choices from ballots.ballot` : sql``;
  return read.rows<Ballot>(sql`select * from (select election_id::int as election_id, generation, receipt, votes, choices from ballot ${boxed}) b
    where election_id = ${electionId} and generation = ${generation}`);
}

/** Rounds whose ballots differ from those that were cast. */
async function differingRounds(read: Pick<Read, 'rows'>, secrets: Secrets): Promise<Violation[]> {
  const found: Violation[] = [];
  for (const { electionId, generation, title, sum, voters } of await read.rows(rounds)) {
    const ballots = sum === null ? [] : await ballotsOf(read, electionId, generation);
    if (ballots === null) continue;
    const isSum = keysOf(secrets).some(
      key => sum !== null && ballots.reduce<Buffer>((all, ballot) => xor(all, partOf(key, ballot)), Buffer.alloc(SIZE)).equals(sum),
    );
    if (isSum && ballots.length === voters) continue;
    found.push({
      object: `${title}, round ${generation},`,
      problem:
        sum === null
          ? 'has votes, and nothing that its ballots add up to'
          : 'has ballots that are not those that were cast: one was changed, put in or taken out past the portal',
      remedy: 'Tell the scrutineers: the vote has to be repeated',
    });
  }
  return found.slice(0, MAX_VIOLATIONS);
}

export const ballotSums: Invariant = {
  name: 'elections.ballotsAsCast',
  sentence: 'The ballots of a vote are those that were cast',
  check: ({ read, secrets }) => differingRounds(read, secrets),
};
