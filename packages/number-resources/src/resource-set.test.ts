import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyRange } from '../arbitrary.ts';
import { printPrefix } from './prefix.ts';
import { containsRange } from './range.ts';
import { type NumberResource, parseResource, printResource } from './resource.ts';
import {
  containsResource,
  containsSet,
  countSet,
  emptySet,
  equalSets,
  intersectSets,
  isEmptySet,
  listGaps,
  listPrefixes,
  listRanges,
  listResources,
  overlapsResource,
  type ResourceSet,
  resourceSetOf,
  subtractSets,
  unionSets,
} from './resource-set.ts';

const setOf = (...texts: string[]) => resourceSetOf(texts.map(parseResource));
const printed = (set: ResourceSet) => listResources(set).map(printResource);

/** Ranges in a universe of 24 numbers, at both ends of each family too. */
const universe = 24;
const ends: Record<'ipv4' | 'ipv6' | 'asn', bigint> = { ipv4: 2n ** 32n, ipv6: 2n ** 128n, asn: 2n ** 32n };
const smallRange: fc.Arbitrary<NumberResource> = fc
  .record({ family: fc.constantFrom('ipv4', 'ipv6', 'asn'), atEnd: fc.boolean(), a: fc.nat(universe - 1), b: fc.nat(universe - 1) })
  .map(({ family, atEnd, a, b }): NumberResource => {
    const base = atEnd ? ends[family] - BigInt(universe) : 0n;
    const first = base + BigInt(Math.min(a, b));
    const last = base + BigInt(Math.max(a, b));
    return family === 'asn' ? { family, first: Number(first), last: Number(last) } : { family, first, last };
  });
const smallRanges = fc.array(smallRange, { maxLength: 8 });

/** The naive model: one text for every single number. */
function members(resources: Iterable<NumberResource>): Set<string> {
  const found = new Set<string>();
  for (const { family, first, last } of resources)
    for (let number = BigInt(first); number <= BigInt(last); number++) found.add(`${family} ${number}`);
  return found;
}

const both = (a: Set<string>, b: Set<string>) => new Set([...a].filter(member => b.has(member)));
const without = (a: Set<string>, b: Set<string>) => new Set([...a].filter(member => !b.has(member)));

const membersOf = (set: ResourceSet) => members(listResources(set));

function expectCanonical(set: ResourceSet): void {
  for (const edges of [set.ipv4, set.ipv6, set.asn]) {
    expect(edges.length % 2).toBe(0);
    for (const [index, edge] of edges.slice(1).entries()) expect(edge > (edges[index] ?? -1n)).toBe(true);
  }
}

describe('a set of number resources', () => {
  it('holds the numbers that were put in, whatever their order', () => {
    fc.assert(
      fc.property(smallRanges, resources => {
        const set = resourceSetOf(resources);
        expectCanonical(set);
        expect(membersOf(set)).toEqual(members(resources));
        expect(equalSets(set, resourceSetOf(resources.toReversed()))).toBe(true);
      }),
    );
  });

  it('leaves the list it was made of as it was', () => {
    const resources = ['192.0.2.128/25', '192.0.2.0/25'].map(parseResource);
    resourceSetOf(resources);
    expect(resources.map(printResource)).toEqual(['192.0.2.128/25', '192.0.2.0/25']);
  });

  it('unites, intersects and subtracts as sets of single numbers do', () => {
    fc.assert(
      fc.property(smallRanges, smallRanges, (one, other) => {
        const a = resourceSetOf(one);
        const b = resourceSetOf(other);
        const inA = members(one);
        const inB = members(other);
        const results = { union: unionSets(a, b), intersection: intersectSets(a, b), difference: subtractSets(a, b) };
        Object.values(results).forEach(expectCanonical);
        expect(membersOf(results.union)).toEqual(new Set([...inA, ...inB]));
        expect(membersOf(results.intersection)).toEqual(both(inA, inB));
        expect(membersOf(results.difference)).toEqual(without(inA, inB));
        expect(containsSet(a, b)).toBe(without(inB, inA).size === 0);
        expect(equalSets(a, b)).toBe(inA.size === inB.size && without(inB, inA).size === 0);
      }),
      { numRuns: 500 },
    );
  });

  it('obeys the laws of set algebra on whole address spaces', () => {
    const anySet = fc.array(anyRange, { maxLength: 6 }).map(resourceSetOf);
    fc.assert(
      fc.property(anySet, anySet, anySet, (a, b, c) => {
        const same = (one: ResourceSet, other: ResourceSet) => expect(equalSets(one, other)).toBe(true);
        same(unionSets(a, b), unionSets(b, a));
        same(intersectSets(a, b), intersectSets(b, a));
        same(unionSets(a, b, c), unionSets(unionSets(a, b), c));
        same(intersectSets(a, unionSets(b, c)), unionSets(intersectSets(a, b), intersectSets(a, c)));
        same(subtractSets(a, unionSets(b, c)), intersectSets(subtractSets(a, b), subtractSets(a, c)));
        same(unionSets(subtractSets(a, b), intersectSets(a, b)), a);
        same(subtractSets(a, a), emptySet);
        same(unionSets(a, emptySet), a);
        for (const family of ['ipv4', 'ipv6'] as const)
          expect(countSet(unionSets(a, b), family) + countSet(intersectSets(a, b), family)).toBe(countSet(a, family) + countSet(b, family));
      }),
    );
  });

  it('knows what it contains and what it overlaps', () => {
    fc.assert(
      fc.property(smallRanges, smallRange, (resources, asked) => {
        const set = resourceSetOf(resources);
        const inSet = members(resources);
        const inAsked = members([asked]);
        expect(containsResource(set, asked)).toBe(without(inAsked, inSet).size === 0);
        expect(overlapsResource(set, asked)).toBe(both(inAsked, inSet).size > 0);
      }),
      { numRuns: 500 },
    );
  });

  it('fills a covering range together with its gaps', () => {
    fc.assert(
      fc.property(smallRanges, smallRange, (resources, covering) => {
        const set = resourceSetOf(resources);
        const gaps = listGaps(set, covering);
        const whole = resourceSetOf([covering]);
        expect(isEmptySet(intersectSets(resourceSetOf(gaps), set))).toBe(true);
        expect(equalSets(unionSets(resourceSetOf(gaps), intersectSets(set, whole)), whole)).toBe(true);
      }),
    );
  });

  it('lists the fewest prefixes, which make the same set again', () => {
    fc.assert(
      fc.property(fc.array(anyRange, { maxLength: 6 }), resources => {
        const set = resourceSetOf(resources);
        const prefixes = [...listPrefixes(set, 'ipv4'), ...listPrefixes(set, 'ipv6')];
        expect(equalSets(resourceSetOf(prefixes), set)).toBe(true);
        for (const prefix of prefixes)
          expect(listResources(set).filter(range => range.family !== 'asn' && containsRange(range, prefix))).toHaveLength(1);
      }),
    );
  });

  it('joins neighbours, as a member reads a delegation list', () => {
    const set = setOf('192.0.2.128/25', 'AS64497', '2001:db8::/33', '192.0.2.0/25', 'AS64496', '2001:db8:8000::/33', '192.0.4.0/24');
    expect(printed(set)).toEqual(['192.0.2.0/24', '192.0.4.0/24', '2001:db8::/32', 'AS64496 - AS64497']);
    expect(listPrefixes(setOf('192.0.2.0 - 192.0.4.255'), 'ipv4').map(printPrefix)).toEqual(['192.0.2.0/23', '192.0.4.0/24']);
    expect(listRanges(set, 'asn')).toEqual([{ family: 'asn', first: 64496, last: 64497 }]);
    expect(countSet(set, 'ipv4')).toBe(512n);
    expect(countSet(set, 'ipv6')).toBe(2n ** 96n);
    expect(countSet(set, 'asn')).toBe(2n);
  });

  it('shows the free space in a delegation', () => {
    const customers = setOf('192.0.2.0/26', '192.0.2.128/26');
    expect(listGaps(customers, parseResource('192.0.2.0/24')).map(printResource)).toEqual(['192.0.2.64/26', '192.0.2.192/26']);
    expect(listGaps(customers, parseResource('198.51.100.0/24')).map(printResource)).toEqual(['198.51.100.0/24']);
    expect(listGaps(customers, parseResource('192.0.2.0/27'))).toEqual([]);
  });

  it('holds whole address spaces, and nothing', () => {
    const everything = setOf('0.0.0.0/0', '::/0', 'AS0 - AS4294967295');
    expect(printed(everything)).toEqual(['0.0.0.0/0', '::/0', 'AS0 - AS4294967295']);
    expect(containsResource(everything, parseResource('255.255.255.255'))).toBe(true);
    expect(printed(subtractSets(everything, setOf('0.0.0.0/1', '::/0')))).toEqual(['128.0.0.0/1', 'AS0 - AS4294967295']);
    expect(isEmptySet(unionSets())).toBe(true);
    expect(isEmptySet(everything)).toBe(false);
    expect(equalSets(unionSets(everything), everything)).toBe(true);
  });
});
