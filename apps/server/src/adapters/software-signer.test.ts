import { expect, test } from 'vitest';
import { threadsFor } from './software-signer.ts';

const hex = (number: number): string => number.toString(16).padStart(40, '0');
/** An object of each of these authorities: a signature by its key, and one by a key of its own. */
const objects = (authorities: readonly number[]) =>
  authorities.flatMap((authority, index) => [{ keyIdentifier: hex(authority) }, { keyIdentifier: hex(1_000_000 + index), isOnce: true }]);

test('an authority’s key is always signed with in the same thread, and every signature is made once', () => {
  const all = objects(Array.from({ length: 120 }, (_, index) => Math.floor(index / 6)));
  const places = threadsFor(all, 2, 2);
  expect(places.flat().toSorted((a, b) => a - b)).toEqual([...all.keys()]);
  const threadsOf = (authority: number) => places.filter(part => part.some(place => all[place]!.keyIdentifier === hex(authority))).length;
  for (let authority = 0; authority < 20; authority++) expect(threadsOf(authority)).toBe(1);
  expect(Math.abs(places[0]!.length - places[1]!.length)).toBeLessThan(10);
});

test('a key that signs most of a publication is shared out, so that no thread waits for another', () => {
  const places = threadsFor(
    Array.from({ length: 100 }, () => ({ keyIdentifier: hex(7) })),
    4,
    4,
  );
  expect(places.map(part => part.length)).toEqual([25, 25, 25, 25]);
});

test('a few signatures are made in one thread, whose key is open', () => {
  const few = objects([8, 8]);
  expect(threadsFor(few, 1, 3)).toEqual([[], [], [0, 1, 2, 3]]);
  expect(threadsFor([], 1, 3)).toEqual([[], [], []]);
});
