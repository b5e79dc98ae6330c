import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AsNeighbours } from './as-neighbours.ts';
import { MrtError, readMrtTable } from './mrt.ts';
import { prefixAt, printPrefix } from './prefix.ts';
import { readDumpLine } from './ris-whois-dump.ts';
import { mrtRecord } from '../test/mrt-record.ts';

const read = (bytes: number[]) => [...readMrtTable(Uint8Array.from(bytes))];

test('origins of a table are the last AS of each path, and peers are counted once', () => {
  const sequence = (...asns: number[]) => [{ kind: 2 as const, asns }];
  const table = [
    ...mrtRecord('198.18.0.0/19', [
      { peer: 0, segments: sequence(65550, 64500) },
      { peer: 1, segments: sequence(65551, 64500) },
      { peer: 1, segments: sequence(64500) },
      { peer: 2, segments: sequence(64501) },
    ]),
    ...mrtRecord('2001:db8::/33', [{ peer: 4, segments: [...sequence(4_200_000_000), { kind: 1, asns: [1, 2] }] }], { addPath: true }),
  ];
  expect(read(table)).toEqual([
    { prefix: '198.18.0.0/19', asn: 64500, peers: 2, collectedAt: 1_700_000_000 },
    { prefix: '198.18.0.0/19', asn: 64501, peers: 1, collectedAt: 1_700_000_000 },
    { prefix: '2001:db8::/33', asn: null, peers: 1, collectedAt: 1_700_000_000 },
  ]);
});

const neighboursOf = (bytes: number[]) => {
  const neighbours = { 4: new AsNeighbours(), 6: new AsNeighbours() };
  for (const _ of readMrtTable(Uint8Array.from(bytes), neighbours));
  return { 4: neighbours[4].list(1_000), 6: neighbours[6].list(1_000) };
};

test('neighbours of a table are those left of each AS, with how many announcements go through them and how many peers saw it', () => {
  const sequence = (...asns: number[]) => [{ kind: 2 as const, asns }];
  const table = [
    ...mrtRecord('198.18.0.0/19', [
      { peer: 0, segments: sequence(65550, 64510, 64500, 64500, 64500) },
      { peer: 1, segments: sequence(65551, 64510, 64500) },
      { peer: 1, segments: sequence(65551, 64510, 64500) },
      { peer: 2, segments: sequence(64500) },
    ]),
    ...mrtRecord('198.18.32.0/24', [{ peer: 0, segments: sequence(65550, 64511, 64500, 64499) }]),
    ...mrtRecord('198.18.33.0/24', [{ peer: 0, segments: sequence(65550, 64510, 64500) }]),
    // Beside a set no one knows the order, and a confederation is inside of one AS.
    ...mrtRecord('198.18.34.0/24', [{ peer: 0, segments: [...sequence(65550), { kind: 1, asns: [64512, 64513] }, ...sequence(64500)] }]),
    ...mrtRecord('198.18.35.0/24', [{ peer: 0, segments: [...sequence(64520), { kind: 3, asns: [65000, 65001] }, ...sequence(64500)] }]),
    ...mrtRecord('2001:db8::/32', [{ peer: 3, segments: sequence(64521, 64500) }], { addPath: true }),
  ];
  expect(neighboursOf(table)).toEqual({
    4: [
      { asn: 64499, neighbour: 64500, announcements: 1, peers: 1 },
      { asn: 64500, neighbour: 64510, announcements: 2, peers: 2 },
      { asn: 64500, neighbour: 64511, announcements: 1, peers: 1 },
      { asn: 64500, neighbour: 64520, announcements: 1, peers: 1 },
      { asn: 64510, neighbour: 65550, announcements: 2, peers: 1 },
      { asn: 64510, neighbour: 65551, announcements: 1, peers: 1 },
      { asn: 64511, neighbour: 65550, announcements: 1, peers: 1 },
    ],
    6: [{ asn: 64500, neighbour: 64521, announcements: 1, peers: 1 }],
  });
});

test('of an AS with many neighbours those are kept that most peers saw', () => {
  const neighbours = new AsNeighbours();
  for (let neighbour = 1; neighbour <= 50; neighbour++)
    neighbours.note(Array.from({ length: neighbour }, (_, peer) => ({ peer, path: [neighbour, 64500] })));
  expect(neighbours.list(3).map(({ neighbour }) => neighbour)).toEqual([50, 49, 48]);
});

const prefix = fc
  .record({
    family: fc.constantFrom('ipv4' as const, 'ipv6' as const),
    value: fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }),
    length: fc.nat(128),
  })
  .map(({ family, value, length }) =>
    printPrefix(family === 'ipv4' ? prefixAt(family, value >> 96n, length % 33) : prefixAt(family, value, length)),
  );
const asn = fc.integer({ min: 1, max: 4_294_967_295 });
const paths = fc.array(
  fc.record({
    peer: fc.nat(500),
    segments: fc.array(
      fc.record({ kind: fc.constantFrom(1 as const, 2 as const, 3 as const), asns: fc.array(asn, { minLength: 1, maxLength: 5 }) }),
      { maxLength: 3 },
    ),
  }),
  { minLength: 1, maxLength: 5 },
);

test('any table is read as it was written, with add-path and without', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(prefix, paths, fc.boolean()), { maxLength: 5 }), records => {
      const found = read(records.flatMap(([p, list, addPath]) => mrtRecord(p, list, { addPath })));
      const wanted = records.flatMap(([p, list]) => {
        const origins = new Map<number | null, Set<number>>();
        for (const { peer, segments } of list) {
          const last = segments.findLast(({ kind }) => kind !== 3);
          const origin = last?.kind === 2 ? last.asns.at(-1)! : null;
          origins.set(origin, (origins.get(origin) ?? new Set()).add(peer));
        }
        return [...origins].map(([origin, peers]) => ({ prefix: p, asn: origin, peers: peers.size, collectedAt: 1_700_000_000 }));
      });
      expect(found).toEqual(wanted);
    }),
  );
});

test('a table that is cut off or noise is refused with its place, and never read beyond its end', () => {
  const whole = mrtRecord('198.18.0.0/19', [{ peer: 0, segments: [{ kind: 2, asns: [64500] }] }]);
  for (let length = 1; length < whole.length; length++) expect(() => read(whole.slice(0, length))).toThrow(MrtError);
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), noise => {
      try {
        for (const entry of readMrtTable(noise)) expect(entry.peers).toBeGreaterThan(0);
      } catch (error) {
        expect(error).toBeInstanceOf(MrtError);
      }
    }),
  );
});

test('lines of a RIS whois dump are read, left out, or refused with what is wrong', () => {
  expect(readDumpLine('64500\t198.18.0.0/19\t320', 1)).toEqual({ prefix: '198.18.0.0/19', asn: 64500, peers: 320 });
  expect(readDumpLine('{64500,64501}\t2001:DB8::/32\t2', 2)).toEqual({ prefix: '2001:db8::/32', asn: null, peers: 2 });
  expect(readDumpLine('% comment', 3)).toBeNull();
  expect(readDumpLine('', 4)).toBeNull();
  for (const wrong of [
    '64500 198.18.0.0/19 320',
    '64500\t198.18.0.1/19\t3',
    'AS\t198.18.0.0/19\t3',
    '4294967296\t198.18.0.0/19\t3',
    '1\t198.18.0.0/19\tx',
  ])
    expect(readDumpLine(wrong, 5)).toMatchObject({ line: 5, problem: expect.any(String) });
});
