import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';

/** A published ballot. */
export type PublishedBallot = { receipt: string; votes: number; choices: number[] };

/** All ballots of a finished round, from the box or published, in the order of their receipts; empty before. */
export const ballotsOf = (read: Read, electionId: string, generation: number): Promise<PublishedBallot[]> =>
  read.rows<PublishedBallot>(sql`
    select receipt, votes, choices from ballot where election_id = ${Number(electionId)} and generation = ${generation}
    union all select receipt, votes, choices from ballots.published(${Number(electionId)}, ${generation}) order by receipt`);

/** Ballots as the file that is published: `receipt,votes,choices`, choices as numbers with spaces between them. */
export const ballotsFile = (ballots: readonly PublishedBallot[]): string => `${ballotsHeader}${ballots.map(ballotLine).join('')}`;

export const ballotsHeader = 'receipt,votes,choices\r\n';
export const ballotLine = ({ receipt, votes, choices }: PublishedBallot): string => `${receipt},${votes},${choices.join(' ')}\r\n`;

/** The votes of each option, by index. */
export function tallyOf(ballots: readonly PublishedBallot[], options: number): number[] {
  const sums = Array.from({ length: options }, () => 0);
  for (const { votes, choices } of ballots) for (const place of choices) sums[place - 1] = sums[place - 1]! + votes;
  return sums;
}

/** Voters of one kind: how many could vote, and did. */
type Turnout = { could: number; did: number };

/** How many accounts and attendees could vote, and did, in the current round. */
export async function turnoutOf(read: Read, electionId: string): Promise<{ accounts: Turnout; attendees: Turnout }> {
  const [row] = await read.rows<{ accounts: number; voted: number; people: number; attended: number }>(sql`
    select (select count(*)::int from election_roll r where r.election_id = e.election_id) as accounts,
      (select count(*)::int from election_vote v where v.election_id = e.election_id and v.generation = e.generation) as voted,
      (select count(*)::int from attendee_roll r where r.election_id = e.election_id) as people,
      (select count(*)::int from attendee_vote v where v.election_id = e.election_id and v.generation = e.generation) as attended
    from election e where e.election_id = ${Number(electionId)}`);
  const { accounts, voted, people, attended } = row!;
  return { accounts: { could: accounts, did: voted }, attendees: { could: people, did: attended } };
}

/** A program that anyone can count the published ballots with, apart from the portal: `node tally.mjs < ballots.csv`. */
export const tallyScript = `// Counts the ballots of an election: node tally.mjs < ballots.csv
// Each line is receipt,votes,choices. A ballot gives all of its votes to each of its choices.
let text = '';
for await (const chunk of process.stdin) text += chunk;
const [head, ...lines] = text.trim().split(/\\r?\\n/);
if (head !== 'receipt,votes,choices') throw new Error('This is no file of ballots');
const sums = new Map();
const receipts = new Set();
for (const line of lines) {
  const [receipt, votes, choices] = line.split(',');
  if (receipts.has(receipt)) throw new Error('The receipt ' + receipt + ' is there twice');
  receipts.add(receipt);
  for (const choice of choices.split(' ').filter(Boolean)) sums.set(choice, (sums.get(choice) ?? 0) + Number(votes));
}
console.log('ballots ' + receipts.size);
for (const [choice, votes] of [...sums].sort((a, b) => Number(a[0]) - Number(b[0]))) console.log('option ' + choice + ': ' + votes);
`;
