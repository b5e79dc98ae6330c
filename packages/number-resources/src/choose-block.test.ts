import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  bestFitPrefix,
  containsResource,
  emptySet,
  grownPrefix,
  listRanges,
  lowestAsNumber,
  parsePrefix,
  parseResource,
  type Prefix,
  printPrefix,
  resourceSetOf,
  sparsePrefix,
  subtractSets,
  unionSets,
} from './index.ts';

const setOf = (...texts: string[]) => resourceSetOf(texts.map(parseResource));

test('the smallest hole that fits is used, and larger blocks stay whole', () => {
  const free = setOf('198.18.0.0/22', '198.18.8.0/23', '198.18.12.0/24', '198.18.16.0/24');
  expect(printPrefix(bestFitPrefix(free, 'ipv4', 24)!)).toBe('198.18.12.0/24');
  expect(printPrefix(bestFitPrefix(free, 'ipv4', 23)!)).toBe('198.18.8.0/23');
  expect(printPrefix(bestFitPrefix(free, 'ipv4', 26)!)).toBe('198.18.12.0/26');
  expect(bestFitPrefix(free, 'ipv4', 21)).toBeNull();
  expect(bestFitPrefix(emptySet, 'ipv4', 24)).toBeNull();
});

test('of two blocks of one size the one in the smaller hole is used', () => {
  // 198.18.1.0 - 198.18.3.255 has a /24 and a /23; 198.18.9.0/24 stands alone.
  expect(printPrefix(bestFitPrefix(setOf('198.18.1.0 - 198.18.3.255', '198.18.9.0/24'), 'ipv4', 24)!)).toBe('198.18.9.0/24');
});

test('a sparse pool of 16 places fills as the specification of the allocator says', () => {
  const pool = setOf('3fff:ff00::/28');
  let held = emptySet;
  const order: number[] = [];
  for (let i = 0; i < 16; i++) {
    const block = sparsePrefix(subtractSets(pool, held), held, 32)!;
    order.push(Number((block.first >> 96n) & 15n));
    held = unionSets(held, resourceSetOf([block]));
  }
  expect(order).toEqual([0, 8, 4, 12, 2, 6, 10, 14, 1, 3, 5, 7, 9, 11, 13, 15]);
  expect(sparsePrefix(subtractSets(pool, held), held, 32)).toBeNull();
});

const anyFree = (family: 'ipv4' | 'ipv6') => {
  const [pool, from, to] = family === 'ipv4' ? ['198.18.0.0/16', 20, 28] : ['3fff:f000::/24', 28, 40];
  return fc
    .array(fc.record({ length: fc.integer({ min: Number(from), max: Number(to) }), at: fc.bigInt({ min: 0n, max: (1n << 16n) - 1n }) }), {
      maxLength: 40,
    })
    .map(taken => {
      const all = parsePrefix(String(pool));
      const size = all.last - all.first + 1n;
      const held = resourceSetOf(
        taken.map(({ length, at }) => {
          const block = 1n << BigInt((family === 'ipv4' ? 32 : 128) - length);
          const first = all.first + ((at * block) % size);
          return { family, first, last: first + block - 1n };
        }),
      );
      return { pool: resourceSetOf([all]), held };
    });
};

test('what is chosen is free, of the size wanted and aligned, and null means that nothing fits', () => {
  fc.assert(
    fc.property(anyFree('ipv4'), fc.integer({ min: 18, max: 26 }), ({ pool, held }, length) => {
      const free = subtractSets(pool, held);
      const chosen = bestFitPrefix(free, 'ipv4', length);
      const size = 1n << BigInt(32 - length);
      const anyFits = listRanges(free, 'ipv4').some(({ first, last }) => ((first + size - 1n) / size) * size + size - 1n <= last);
      expect(chosen !== null).toBe(anyFits);
      if (chosen) {
        expect(containsResource(free, chosen)).toBe(true);
        expect(chosen.length).toBe(length);
      }
    }),
  );
  fc.assert(
    fc.property(anyFree('ipv6'), fc.integer({ min: 28, max: 40 }), ({ pool, held }, length) => {
      const free = subtractSets(pool, held);
      const chosen = sparsePrefix(free, held, length);
      const size = 1n << BigInt(128 - length);
      const anyFits = listRanges(free, 'ipv6').some(({ first, last }) => ((first + size - 1n) / size) * size + size - 1n <= last);
      expect(chosen !== null).toBe(anyFits);
      if (chosen) {
        expect(containsResource(free, chosen)).toBe(true);
        expect(chosen.length).toBe(length);
      }
    }),
  );
});

test('a block grows in place only where all around it is free', () => {
  const block: Prefix = parsePrefix('3fff:f000::/32');
  expect(printPrefix(grownPrefix(block, 29, setOf('3fff:f001::/32', '3fff:f002::/31', '3fff:f004::/30'))!)).toBe('3fff:f000::/29');
  expect(grownPrefix(block, 29, setOf('3fff:f001::/32', '3fff:f004::/30'))).toBeNull();
});

test('the lowest number of four bytes is given, and one of two bytes on demand', () => {
  expect(lowestAsNumber(setOf('AS64496 - AS64499', 'AS65540 - AS65551'))).toBe(65540);
  expect(lowestAsNumber(setOf('AS64496 - AS64499', 'AS65540'), { twoByte: true })).toBe(64496);
  expect(lowestAsNumber(setOf('AS65530 - AS65539'))).toBe(65536);
  expect(lowestAsNumber(setOf('AS64496'))).toBeNull();
  expect(lowestAsNumber(setOf('AS65540'), { twoByte: true })).toBeNull();
});
