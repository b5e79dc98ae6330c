import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TextStore } from './text-store.ts';

test('every slot has its last text after any puts, replacements and removals, in slabs that are compacted', () => {
  const step = fc.record({ slot: fc.nat(30), text: fc.option(fc.string({ unit: 'grapheme', maxLength: 120 })) });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), steps => {
      const store = new TextStore(256);
      const expected = new Map<number, string>();
      for (const { slot, text } of steps) {
        if (text === null) {
          store.remove(slot);
          expected.delete(slot);
        } else {
          // Half of a surrogate pair has no bytes of its own.
          store.put(slot, text.toWellFormed());
          expected.set(slot, text.toWellFormed());
        }
        for (const [each, kept] of expected) expect(store.get(each)).toBe(kept);
      }
    }),
    { numRuns: 200 },
  );
});

test('a text that is replaced many times takes no more room than a few copies', () => {
  const store = new TextStore(1_000);
  for (let slot = 0; slot < 20; slot++) store.put(slot, 'x'.repeat(200));
  const before = store.bytes;
  for (let round = 0; round < 10_000; round++) store.put(round % 20, 'y'.repeat(200));
  expect(store.bytes).toBeLessThan(before * 3);
  expect(store.get(7)).toBe('y'.repeat(200));
});

test('a text longer than a slab gets a slab of its own, and many slots are found', () => {
  const store = new TextStore(100);
  store.put(5_000, 'é'.repeat(1_000));
  store.put(0, 'short');
  expect(store.get(5_000)).toBe('é'.repeat(1_000));
  expect(store.get(0)).toBe('short');
});
