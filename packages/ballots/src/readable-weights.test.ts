import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readableWeights, type WeightClass } from './readable-weights.ts';

/** All ways in which classes can vote, as numbers of each. */
const waysOf = (classes: readonly WeightClass[]): number[][] =>
  classes.reduce<number[][]>(
    (ways, { ballots }) => ways.flatMap(way => Array.from({ length: ballots + 1 }, (_, votes) => [...way, votes])),
    [[]],
  );

/** The same by trying everything: a class is readable if each sum is reached with one number of its votes only. */
const byTrying = (classes: readonly WeightClass[]): WeightClass[] =>
  classes.filter((_, place) => {
    const votesBySum = new Map<number, Set<number>>();
    for (const way of waysOf(classes)) {
      const sum = way.reduce((total, votes, index) => total + votes * classes[index]!.weight, 0);
      votesBySum.set(sum, (votesBySum.get(sum) ?? new Set()).add(way[place]!));
    }
    return [...votesBySum.values()].every(({ size }) => size === 1);
  });

test('classes are readable if trying all votes shows that they are', () => {
  const anyClasses = fc.uniqueArray(fc.record({ weight: fc.integer({ min: 1, max: 20 }), ballots: fc.integer({ min: 1, max: 4 }) }), {
    selector: ({ weight }) => weight,
    maxLength: 4,
  });
  fc.assert(
    fc.property(anyClasses, classes => {
      expect(readableWeights(classes)).toEqual(byTrying(classes));
    }),
    { numRuns: 300 },
  );
});

test.each<[string, [weight: number, ballots: number][], number[]]>([
  ['no one has voted', [[1, 0]], []],
  ['one account has voted', [[8, 1]], [8]],
  [
    'one account has more votes than all others together',
    [
      [1, 20],
      [2, 20],
      [64, 1],
    ],
    [64],
  ],
  [
    'others could make up for it',
    [
      [1, 20],
      [2, 22],
      [64, 1],
    ],
    [],
  ],
  ['all have one vote', [[1, 500]], [1]],
  [
    'nearly all have voted in a registry with a NIR',
    [
      [1, 2214],
      [2, 1466],
      [4, 1180],
      [8, 804],
      [16, 409],
      [32, 156],
      [64, 2],
    ],
    [],
  ],
  [
    'few have voted, and each class adds up to less than the next',
    [
      [1, 1],
      [2, 1],
      [4, 1],
    ],
    [1, 2, 4],
  ],
  [
    'a class has no votes',
    [
      [0, 5],
      [1, 1],
    ],
    [1],
  ],
])('where %s, the readable classes are named', (_, classes, expected) => {
  expect(readableWeights(classes.map(([weight, ballots]) => ({ weight, ballots }))).map(({ weight }) => weight)).toEqual(expected);
});

test('more votes than are compared are refused', () => {
  expect(() => readableWeights([{ weight: 1_000_000, ballots: 11 }])).toThrow(RangeError);
});
