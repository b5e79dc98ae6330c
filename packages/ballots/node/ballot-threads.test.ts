import { expect, test } from 'vitest';
import { readElection } from '../src/index.ts';
import { recordedElection } from '../test/recorded-archive.ts';
import { openVoting } from '../test/small-election.ts';
import { BallotThreads } from './ballot-threads.ts';

const kept = await recordedElection();
const election = await readElection(kept.electionText);
const [first, second] = kept.ballots as [string, string];

test('threads verify ballots of several elections, and refuse those that do not hold with their reason', async () => {
  await using threads = new BallotThreads(2);
  const { election: other } = await openVoting({ weights: [1] });
  const wrong = first.replace(/(?<="response":")\d/, digit => (digit === '1' ? '2' : '1'));
  const asked = [
    threads.check(election, first),
    threads.check(election, wrong),
    threads.check(other, first),
    threads.check(election, second),
    threads.check(election, '{'),
  ];
  const outcomes = (await Promise.allSettled(asked)).map(each =>
    each.status === 'fulfilled' ? null : (each.reason as { code: string }).code,
  );
  expect(outcomes).toEqual([null, 'PROOF', 'OTHER_ELECTION', null, 'FORM']);
});

test('a ballot that waits for a thread that ends is an error, and the next ballot has a new one', async () => {
  const threads = new BallotThreads(1);
  const waiting = threads.check(election, first);
  await Promise.all([expect(waiting).rejects.toThrow(/thread that verifies ballots ended/), threads[Symbol.asyncDispose]()]);
  await threads.check(election, first);
  await threads[Symbol.asyncDispose]();
});
