import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MrtError, readMrtTable } from './mrt.ts';
import { parsePrefix, prefixAt, printPrefix } from './prefix.ts';
import { readDumpLine } from './ris-whois-dump.ts';

type Path = { peer: number; segments: { kind: 1 | 2 | 3; asns: number[] }[] };
const u16 = (value: number): number[] => [value >> 8, value & 255];
const u32 = (value: number): number[] => [...u16(Math.floor(value / 65536)), ...u16(value % 65536)];

/** A record of one prefix as RFC 6396 writes it; attributes before the path have both forms of length. */
function record(prefix: string, paths: Path[], { addPath = false, time = 1_700_000_000 } = {}): number[] {
  const { family, first, length } = parsePrefix(prefix);
  const bytes = Math.ceil(length / 8);
  const bits = family === 'ipv4' ? 32 : 128;
  const entries = paths.flatMap(({ peer, segments }) => {
    const path = segments.flatMap(({ kind, asns }) => [kind, asns.length, ...asns.flatMap(u32)]);
    const attributes = [0x40, 1, 1, 0, 0x50, 2, ...u16(path.length), ...path, 0x40, 5, 4, 0, 0, 0, 100];
    return [...u16(peer), ...u32(time), ...(addPath ? u32(7) : []), ...u16(attributes.length), ...attributes];
  });
  const body = [
    ...u32(1),
    length,
    ...Array.from({ length: bytes }, (_, index) => Number((first >> BigInt(bits - 8 * (index + 1))) & 255n)),
    ...u16(paths.length),
    ...entries,
  ];
  const subtype = (family === 'ipv4' ? 2 : 4) + (addPath ? 6 : 0);
  return [...u32(time), ...u16(13), ...u16(subtype), ...u32(body.length), ...body];
}
const read = (bytes: number[]) => [...readMrtTable(Uint8Array.from(bytes))];

test('origins of a table are the last AS of each path, and peers are counted once', () => {
  const sequence = (...asns: number[]) => [{ kind: 2 as const, asns }];
  const table = [
    ...record('198.18.0.0/19', [
      { peer: 0, segments: sequence(65550, 64500) },
      { peer: 1, segments: sequence(65551, 64500) },
      { peer: 1, segments: sequence(64500) },
      { peer: 2, segments: sequence(64501) },
    ]),
    ...record('2001:db8::/33', [{ peer: 4, segments: [...sequence(4_200_000_000), { kind: 1, asns: [1, 2] }] }], { addPath: true }),
  ];
  expect(read(table)).toEqual([
    { prefix: '198.18.0.0/19', asn: 64500, peers: 2, collectedAt: 1_700_000_000 },
    { prefix: '198.18.0.0/19', asn: 64501, peers: 1, collectedAt: 1_700_000_000 },
    { prefix: '2001:db8::/33', asn: null, peers: 1, collectedAt: 1_700_000_000 },
  ]);
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
      const found = read(records.flatMap(([p, list, addPath]) => record(p, list, { addPath })));
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
  const whole = record('198.18.0.0/19', [{ peer: 0, segments: [{ kind: 2, asns: [64500] }] }]);
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
