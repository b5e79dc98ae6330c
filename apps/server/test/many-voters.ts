import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { choicesOf, createBallot, readElection, rightKeyOf, secretOf } from '../../../packages/ballots/src/index.ts';
import { createAccount } from '../src/modules/accounts/index.ts';
import type { Database } from '../src/platform/database/index.ts';
import type { Credentials } from './encrypted-election.ts';

const line = { action: 'test', summary: 'test', traceId: '0'.repeat(32) };

/** A voter of a test: an account for which the demo person `corin` votes, its votes, and the places of answers that it chooses. */
export type TestVoter = { account: string; votes: number; chosen: readonly number[] };

/** Combinations of up to two of three answers. */
const combinations: readonly (readonly number[])[] = [[], [0], [1], [2], [0, 1], [1, 2]];

/** Voters whose choices depend on nothing but their number. @param votesOf the votes of the voter of a number */
export const testVoters = (count: number, votesOf: (number: number) => number): TestVoter[] =>
  Array.from({ length: count }, (_, number) => ({
    account: `VOTER-${String(number).padStart(3, '0')}`,
    votes: votesOf(number),
    chosen: combinations[createHash('sha256').update(`choice ${number}`).digest()[0]! % combinations.length]!,
  }));

/** Adds the accounts of voters. */
export const addVoters = (db: Database, voters: readonly TestVoter[]): Promise<void> =>
  db.change(line, async change => {
    for (const { account } of voters)
      await createAccount(change, {
        accountName: account,
        orgName: `Network of ${account}`,
        economy: 'AU',
        accountType: 'regular',
        accountStatus: 'open',
        memberSince: '2020-01-01',
        expiryDate: null,
      });
    await change.rows(sql`insert into contact (account_name, login_id, full_name, email, contact_types, permissions)
      select a.name, l.login_id, l.full_name, l.email, '{corporate}', '{voting-vote}' from unnest(${voters.map(({ account }) => account)}::text[]) a (name), login l where l.username = 'corin'`);
  });

/** Gives voters their votes on the roll, before the ballot is set up. */
export const setVotes = (db: Database, electionId: string, voters: readonly TestVoter[]): Promise<void> =>
  db.change(line, async change => {
    for (const { account, votes } of voters)
      await change.rows(
        sql`update election_roll set votes = ${votes} where election_id = ${Number(electionId)} and account_name = ${account}`,
      );
  });

/** A ballot that is ready to be cast, and the secrets of its voter. */
export type ReadyBallot = TestVoter & {
  ballot: string;
  rightKey: string;
  tracker: string;
  credential: string;
  secret: bigint;
  randomness: readonly bigint[];
};

/** The ballots of voters, made beforehand from the parameters of the archive. */
export async function readyBallots(
  parameters: string,
  { uuid, byAccount }: Credentials,
  voters: readonly TestVoter[],
): Promise<ReadyBallot[]> {
  const election = await readElection(parameters);
  const ready: ReadyBallot[] = [];
  for (const voter of voters) {
    const { credential } = byAccount.get(voter.account)!;
    const secret = await secretOf(credential, uuid);
    const { text, tracker, opening } = await createBallot(election, { secret, choices: [choicesOf(election.questions[0]!, voter.chosen)] });
    ready.push({
      ...voter,
      ballot: text,
      rightKey: await rightKeyOf(credential, uuid),
      tracker,
      credential,
      secret,
      randomness: opening.randomness.flat(),
    });
  }
  return ready;
}

/** The votes of blank ballots, then those of each answer, counted from what voters chose. */
export const countOf = (voters: readonly TestVoter[], answers: number): number[] => {
  const sums = Array.from({ length: answers + 1 }, () => 0);
  for (const { votes, chosen } of voters)
    for (const place of chosen.length === 0 ? [0] : chosen.map(each => each + 1)) sums[place]! += votes;
  return sums;
};
