import { DAY_MS } from '@portal/contract/days';
import { expect, test } from 'vitest';
import { longestTurnOf } from '../../../test/thread-costs.ts';
import { countBallots, publishedResults } from './published-results.ts';
import { ballotsFile, tallyOf } from './tally.ts';

const ballots = Array.from({ length: 12_345 }, (_, n) => ({
  receipt: String(n).padStart(16, '0'),
  votes: 1 + (n % 64),
  choices: n % 7 === 0 ? [] : [1 + (n % 5), 6],
}));

test('the ballots of a large election are counted as they are one by one, and leave others their turn', async () => {
  const { count, sums, ballot, file } = await countBallots(ballots, 6);
  expect({ count, sums }).toEqual({ count: ballots.length, sums: tallyOf(ballots, 6) });
  expect(file.toString()).toBe(ballotsFile(ballots));
  expect([ballot('0000000000000008'), ballot('none')]).toEqual([ballots[8], undefined]);
  expect(await longestTurnOf(5, () => countBallots(ballots, 6))).toBeLessThan(5);
});

test('they are read once for everyone who asks, and again while some may be missing', async () => {
  let sortedAt: string | null = null;
  let now = 0;
  let reads = 0;
  const rows = (async (query: { toOperationNode: () => unknown }) => {
    const isElection = JSON.stringify(query.toOperationNode()).includes('ballots_sorted_at');
    if (!isElection) reads++;
    return isElection ? [{ sortedAt }] : ballots.slice(0, 3);
  }) as never;
  const resultOf = publishedResults({ read: { rows } as never, clock: () => new Date(now) });
  const ask = (electionId = '1') => resultOf({ electionId, generation: 1, options: 6 });
  await Promise.all([ask(), ask(), ask()]);
  expect(reads).toBe(1);
  now += 15_000;
  await ask();
  expect(reads).toBe(2);
  sortedAt = '2026-11-20T12:00:00Z';
  await ask();
  now += DAY_MS;
  await Promise.all([ask(), ask()]);
  expect(reads).toBe(3);
  // Only the latest are kept.
  for (let other = 2; other < 10; other++) await ask(String(other));
  await ask();
  expect(reads).toBe(12);
});
