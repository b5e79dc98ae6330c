import { containsRange, parsePrefix, type Vrp } from '@portal/number-resources';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { validateAnnouncements } from '../rpki/index.ts';
import { suggest } from './suggestions.ts';

const roa = (prefix: string, asn: number, maxLength = Number(prefix.split('/')[1])): Vrp => ({ prefix, asn, maxLength });
const suggested = async (roas: Vrp[], announced: [string, number][]) => {
  const seen = announced.map(([prefix, asn]) => ({ prefix, asn, peers: 50 }));
  return (await suggest(roas, await validateAnnouncements(seen, roas), new Map())).rows;
};
const found = async (roas: Vrp[], announced: [string, number][]) =>
  (await suggested(roas, announced)).map(({ kind, prefix, asn, maxLength }) => `${kind} ${prefix}-${maxLength} ${asn}`);

test('announcements without a ROA, too long or from another AS get an exact one', async () => {
  expect(await found([], [['10.0.0.0/24', 1]])).toEqual(['add 10.0.0.0/24-24 1']);
  expect(
    await found(
      [roa('10.0.0.0/23', 1)],
      [
        ['10.0.0.0/24', 1],
        ['10.0.0.0/23', 1],
      ],
    ),
  ).toEqual(['add 10.0.0.0/24-24 1']);
  expect(
    await found(
      [roa('10.0.0.0/23', 1)],
      [
        ['10.0.0.0/24', 2],
        ['10.0.0.0/23', 1],
      ],
    ),
  ).toEqual(['add 10.0.0.0/24-24 2']);
});

test('announcements forbidden by an AS0 ROA are never proposed', async () => {
  expect(await found([roa('10.0.0.0/23', 0)], [['10.0.0.0/24', 2]])).toEqual([]);
});

test('ROAs that match no announcement, allow too much, or are redundant are reported', async () => {
  expect(await found([roa('10.0.0.0/24', 1)], [['10.9.0.0/24', 1]])).toEqual(['add 10.9.0.0/24-24 1', 'stale 10.0.0.0/24-24 1']);
  expect(await found([roa('10.0.0.0/24', 1)], [['10.0.0.0/24', 2]])).toEqual(['add 10.0.0.0/24-24 2', 'disallowing 10.0.0.0/24-24 1']);
  expect(
    await found(
      [roa('10.0.0.0/16', 1, 24)],
      [
        ['10.0.0.0/16', 1],
        ['10.0.0.0/20', 1],
      ],
    ),
  ).toEqual(['too-permissive 10.0.0.0/16-20 1']);
  const both = [roa('10.0.0.0/16', 1, 24), roa('10.0.0.0/24', 1)];
  expect(await found(both, [['10.0.0.0/24', 1]])).toEqual(['redundant 10.0.0.0/24-24 1']);
  expect(await found([roa('10.0.0.0/24', 1)], []), 'a view that sees nothing says nothing').toEqual([]);
});

/** Few prefixes and AS numbers, so that they meet; and more AS numbers of one prefix than are looked through one by one. */
const prefixes = ['10.0.0.0/16', '10.0.0.0/20', '10.0.0.0/24', '10.0.1.0/24', '10.1.0.0/24'];
const someRoas = fc
  .uniqueArray(
    fc.record({ prefix: fc.constantFrom(...prefixes), asn: fc.integer({ min: 0, max: 14 }), more: fc.integer({ min: 0, max: 4 }) }),
    { selector: ({ prefix, asn }) => `${prefix} ${asn}`, maxLength: 40 },
  )
  .map(given => given.map(({ prefix, asn, more }) => roa(prefix, asn, Number(prefix.split('/')[1]) + more)));
const someSeen = fc.uniqueArray(fc.tuple(fc.constantFrom(...prefixes), fc.integer({ min: 1, max: 14 })), {
  selector: String,
  maxLength: 20,
});

test('the order of ROAs and announcements makes no difference', async () => {
  await fc.assert(
    fc.asyncProperty(someRoas, someSeen, async (vrps, announced) => {
      expect((await found(vrps.toReversed(), announced.toReversed())).toSorted()).toEqual((await found(vrps, announced)).toSorted());
    }),
    { numRuns: 100 },
  );
});

/** The same as it is thought of: every ROA is held against every announcement. */
function thoughtOf(roas: Vrp[], announced: [string, number][]): string[] {
  const inside = (inner: string, outer: string): boolean => containsRange(parsePrefix(outer), parsePrefix(inner));
  const lengthOf = (prefix: string): number => parsePrefix(prefix).length;
  const allows = (vrp: Vrp, [prefix, asn]: [string, number]): boolean =>
    vrp.asn === asn && asn !== 0 && inside(prefix, vrp.prefix) && lengthOf(prefix) <= vrp.maxLength;
  const includes = (wide: Vrp, narrow: Vrp): boolean =>
    wide !== narrow && wide.asn === narrow.asn && wide.maxLength >= narrow.maxLength && inside(narrow.prefix, wide.prefix);
  const lines: string[] = [];
  for (const each of announced) {
    const covering = roas.filter(vrp => inside(each[0], vrp.prefix));
    if (covering.some(vrp => allows(vrp, each)) || (covering.length > 0 && covering.every(vrp => vrp.asn === 0))) continue;
    lines.push(`add ${each[0]}-${lengthOf(each[0])} ${each[1]}`);
  }
  for (const vrp of roas) {
    if (vrp.asn === 0 || announced.length === 0) continue;
    const allowed = announced.filter(each => allows(vrp, each));
    const stopped = announced.filter(each => inside(each[0], vrp.prefix) && !roas.some(other => allows(other, each)));
    const longest = Math.max(...allowed.map(([prefix]) => lengthOf(prefix)));
    const name = `${vrp.prefix}-${vrp.maxLength} ${vrp.asn}`;
    if (allowed.length === 0) lines.push(`${stopped.length > 0 ? 'disallowing' : 'stale'} ${name}`);
    else if (roas.some(other => includes(other, vrp) && !includes(vrp, other))) lines.push(`redundant ${name}`);
    else if (longest < vrp.maxLength) lines.push(`too-permissive ${vrp.prefix}-${longest} ${vrp.asn}`);
  }
  return lines;
}

test('suggestions are those that every ROA held against every announcement gives', async () => {
  await fc.assert(
    fc.asyncProperty(someRoas, someSeen, async (vrps, announced) => {
      expect((await found(vrps, announced)).toSorted()).toEqual(thoughtOf(vrps, announced).toSorted());
    }),
    { numRuns: 200 },
  );
});

test('of many AS numbers with ROAs for a prefix a sentence names five', async () => {
  const vrps = Array.from({ length: 30 }, (_, n) => roa('10.0.0.0/16', 64_500 + n, 24));
  const [add] = await suggested(vrps, [['10.0.0.0/24', 1]]);
  expect(add!.why).toBe('Seen in BGP from AS1, and ROAs allow only AS64500, AS64501, AS64502, AS64503, AS64504 and others');
});
