import fc from 'fast-check';
import { expect, test } from 'vitest';
import { longestTurnOf } from '../../../test/thread-costs.ts';
import { differingLetters, nearestNames } from './similar-names.ts';

/** The distance of Levenshtein, by its whole table. */
function distance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, place) => place);
  for (let row = 1; row <= a.length; row++) {
    const here = [row];
    for (let place = 1; place <= b.length; place++)
      here.push(Math.min(above[place]! + 1, here[place - 1]! + 1, above[place - 1]! + (a[row - 1] === b[place - 1] ? 0 : 1)));
    above = here;
  }
  return above[b.length]!;
}

const name = fc.array(fc.constantFrom('A', 'B', '-'), { maxLength: 12 }).map(letters => letters.join(''));

test('letters that differ are counted as by the whole table, up to three', () => {
  fc.assert(
    fc.property(name, name, (a, b) => {
      expect(differingLetters(a, b)).toBe(Math.min(distance(a, b), 3));
    }),
    { numRuns: 20_000 },
  );
  expect(['KIRI-LAGOON', 'KIRI-LAGON', 'KIIR-LAGOON', 'KIRI-LAGOONS1', 'ATOLL'].map(each => differingLetters('KIRI-LAGOON', each))).toEqual(
    [0, 1, 2, 2, 3],
  );
});

test('the one nearest name is proposed, and none where two are as near', async () => {
  const nearest = await nearestNames(['REFF', 'LAGOON', 'CORAL', 'ATOLLX'], ['REEF', 'LAGOON', 'CORAL-1', 'CORAL-2', 'ATOLL', 'ATOLLS2']);
  expect(Object.fromEntries(nearest)).toEqual({ REFF: 'REEF', ATOLLX: 'ATOLL' });
});

test('a hundred wrong names among a thousand long ones that are nearly right leave others their turn', async () => {
  const long = 'SUBACCOUNT-OF-THE-NATIONAL-REGISTRY-'.repeat(6);
  const there = Array.from({ length: 1000 }, (_, n) => `${n % 2 === 0 ? 'A' : ''}${long}${n}B${long}`);
  const wrong = Array.from({ length: 100 }, (_, n) => `${long}X${n}${long}`);
  expect(await longestTurnOf(5, () => nearestNames(wrong, there))).toBeLessThan(5);
});
