import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WideSet } from './wide-set.ts';

test('it has what a set has, and as many', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          fc.string({ maxLength: 3 }),
          fc.nat(500).map(n => `as${n}`),
        ),
      ),
      texts => {
        const wide = new WideSet();
        for (const text of texts) wide.add(text);
        const set = new Set(texts);
        expect(wide.size).toBe(set.size);
        expect([...wide].toSorted()).toEqual([...set].toSorted());
        for (const text of ['', 'a', 'as7', ...texts]) expect(wide.has(text)).toBe(set.has(text));
      },
    ),
  );
});
