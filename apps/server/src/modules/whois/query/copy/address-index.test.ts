import { type AddressRange, containsRange, parseRange } from '@portal/number-resources';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AddressIndex } from './address-index.ts';

/** Ranges that overlap: with ends within a few hundred addresses, some of them prefixes, at the beginning, middle and end of the space. */
const anyRange: fc.Arbitrary<AddressRange> = fc
  .tuple(
    fc.constantFrom<AddressRange['family']>('ipv4', 'ipv6'),
    fc.nat(2),
    fc.oneof(
      fc.tuple(fc.nat(255), fc.nat(255)),
      fc
        .tuple(fc.nat(8), fc.nat(255))
        .map(([bits, at]): [number, number] => [(at >> bits) << bits, ((at >> bits) << bits) + 2 ** bits - 1]),
    ),
  )
  .map(([family, part, [a, b]]) => {
    const size = family === 'ipv4' ? 2n ** 32n : 2n ** 128n;
    const start = part === 0 ? 0n : part === 1 ? size / 2n - 128n : size - 256n;
    return { family, first: start + BigInt(Math.min(a, b)), last: start + BigInt(Math.max(a, b)) };
  });
const isSame = (a: AddressRange, b: AddressRange): boolean => a.family === b.family && a.first === b.first && a.last === b.last;
const idsOf = (found: readonly number[]): number[] => [...found].sort((a, b) => a - b);

test('finds every range that contains another, prefix or not, after any additions and removals', () => {
  fc.assert(
    fc.property(
      fc.array(anyRange, { maxLength: 40 }),
      fc.array(fc.nat(39)),
      fc.array(anyRange, { maxLength: 10 }),
      (ranges, removed, asked) => {
        const index = new AddressIndex();
        for (const [id, range] of ranges.entries()) index.add(range, id);
        const gone = new Set(removed.filter(id => id < ranges.length));
        for (const id of gone) index.remove(ranges[id]!, id);
        const left = ranges.map((range, id) => ({ range, id })).filter(({ id }) => !gone.has(id));
        for (const range of [...asked, ...ranges]) {
          const holding = left.filter(each => each.range.family === range.family && containsRange(each.range, range));
          const found = index.around(range);
          expect(idsOf(found.map(({ id }) => id))).toEqual(holding.map(({ id }) => id));
          for (const { id, first, last } of found) expect({ first: BigInt(first), last: BigInt(last) }).toMatchObject(endsOf(ranges[id]!));
          const smallest = (each: AddressRange) =>
            !holding.some(other => other.range.first > each.first || (other.range.first === each.first && other.range.last < each.last));
          const nearest = new Set(index.nearest(range).map(({ id }) => id));
          for (const each of holding) if (smallest(each.range)) expect(nearest).toContain(each.id);
          for (const id of nearest) expect(holding.map(each => each.id)).toContain(id);
          expect(idsOf(index.at(range))).toEqual(left.filter(each => isSame(each.range, range)).map(({ id }) => id));
        }
      },
    ),
    { numRuns: 500 },
  );
});
const endsOf = ({ first, last }: AddressRange) => ({ first, last });

test('the whole address space, and one address', () => {
  const index = new AddressIndex();
  const ranges = ['0.0.0.0/0', '::/0', '192.0.2.0/24', '192.0.2.255', '2001:db8::/32', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'];
  for (const [id, range] of ranges.entries()) index.add(parseRange(range), id);
  const around = (range: string): number[] => idsOf(index.around(parseRange(range)).map(({ id }) => id));
  expect(around('192.0.2.255')).toEqual([0, 2, 3]);
  expect(around('255.255.255.255')).toEqual([0]);
  expect(around('2001:db8::1')).toEqual([1, 4]);
  expect(around('ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff')).toEqual([1, 5]);
});
