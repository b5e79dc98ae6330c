import fc from 'fast-check';
import { expect, test } from 'vitest';
import { filteredInTurns, joinedInTurns, mapInTurns, sortedInTurns } from './breathing.ts';

const rows = fc.array(fc.record({ key: fc.nat(40), place: fc.nat(1_000) }), { maxLength: 900 });

test('a list is sorted, filtered and looked up in turns as it is in one piece, rows that are equal in their order', async () => {
  await fc.assert(
    fc.asyncProperty(rows, async list => {
      const byKey = (a: { key: number }, b: { key: number }): number => a.key - b.key;
      expect(await sortedInTurns(list, byKey)).toEqual(list.toSorted(byKey));
      expect(await filteredInTurns(list, ({ key }) => key % 3 === 0)).toEqual(list.filter(({ key }) => key % 3 === 0));
      expect(await mapInTurns(list, ({ key }) => String(key))).toEqual(new Map(list.map(row => [String(row.key), row])));
    }),
    { numRuns: 60 },
  );
});

test('words are joined in turns as they are in one piece, in pieces of a bounded length', async () => {
  const words = fc.array(fc.oneof(fc.string({ maxLength: 5 }), fc.constant('x'.repeat(20_000))), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(words, fc.constantFrom('', ' ', ', '), async (list, separator) => {
      const pieces = await joinedInTurns(list, separator, word => word);
      expect(pieces.join('')).toBe(list.join(separator));
      expect(Math.max(0, ...pieces.map(({ length }) => length))).toBeLessThan(60_000);
    }),
    { numRuns: 60 },
  );
});
