import { parsePrefix, parseRange, printPrefix, printRange } from '@portal/number-resources';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blockAround, blocksOf, type HeldRange, type RegisteredRange, stretchesOf } from './address-map.ts';

const held = (resource: string, more: Partial<HeldRange> = {}): HeldRange => ({
  ...parseRange(resource),
  delegationId: 1,
  type: 'allocated',
  status: 'active',
  empty: false,
  ...more,
});
const registered = (resource: string, level = 0, more: Partial<RegisteredRange> = {}): RegisteredRange => ({
  ...parseRange(resource),
  delegationId: 1,
  type: 'assigned',
  level,
  name: resource,
  hidden: false,
  ...more,
});
const draw = (within: string, ...given: Parameters<typeof stretchesOf> extends [unknown, ...infer Rest] ? Rest : never) =>
  stretchesOf(parsePrefix(within), ...given).map(stretch => `${stretch.kind} ${printRange(stretch)}`);

describe('the stretches of a map', () => {
  test('are registrations, the free space between them, and the space around that isn’t the account’s', () => {
    expect(
      draw(
        '192.0.2.0/24',
        [held('192.0.2.64/26'), held('192.0.2.128/26', { delegationId: 2, type: 'assigned' })],
        [registered('192.0.2.80/28')],
      ),
    ).toEqual([
      'reserved 192.0.2.0/26',
      'free 192.0.2.64/28',
      'assigned 192.0.2.80/28',
      'free 192.0.2.96/27',
      'delegated 192.0.2.128/26',
      'reserved 192.0.2.192/26',
    ]);
  });

  test('hold only the part of a delegation that a request moves', () => {
    const [delegation, part] = [held('192.0.2.0/24', { status: 'locked' }), parseRange('192.0.2.64/26')];
    expect(draw('192.0.2.0/24', [delegation], [], [])).toEqual(['held 192.0.2.0/24']);
    expect(draw('192.0.2.0/24', [delegation], [registered('192.0.2.80/28')], [part])).toEqual([
      'free 192.0.2.0/26',
      'held 192.0.2.64/28',
      'assigned 192.0.2.80/28',
      'held 192.0.2.96/27',
      'free 192.0.2.128/25',
    ]);
    expect(draw('192.0.2.128/25', [delegation], [], [part])).toEqual(['free 192.0.2.128/25']);
  });

  test('show the contents of a sub-allocation, at any depth', () => {
    const customers = { type: 'allocated' } as const;
    expect(
      draw(
        '192.0.2.0/24',
        [held('192.0.2.0/24')],
        [registered('192.0.2.0/25', 0, customers), registered('192.0.2.0/27', 1, customers), registered('192.0.2.8/29', 2)],
      ),
    ).toEqual([
      'customers 192.0.2.0/29',
      'assigned 192.0.2.8/29',
      'customers 192.0.2.16/28',
      'customers 192.0.2.32 - 192.0.2.127',
      'free 192.0.2.128/25',
    ]);
  });

  test('are held in a delegation under transfer, and where the caller may not see registrations', () => {
    expect(
      draw(
        '192.0.2.0/24',
        [held('192.0.2.0/25', { status: 'locked' }), held('192.0.2.128/25', { delegationId: 2 })],
        [registered('192.0.2.128/26', 0, { hidden: true, delegationId: 2 })],
      ),
    ).toEqual(['held 192.0.2.0/25', 'held 192.0.2.128/26', 'free 192.0.2.192/26']);
  });

  test('are one solid block for an allocation without registrations: nothing in it is shown as free', () => {
    expect(draw('192.0.2.0/24', [held('192.0.2.0/25', { empty: true }), held('192.0.2.128/25', { delegationId: 2 })], [])).toEqual([
      'unassigned 192.0.2.0/25',
      'free 192.0.2.128/25',
    ]);
  });

  test('inside a registration are just that registration', () => {
    expect(draw('192.0.2.64/26', [held('192.0.0.0/16')], [registered('192.0.2.0/24')])).toEqual(['assigned 192.0.2.64/26']);
  });
});

test('the map starts with the smallest block around a holding, unless that would dwarf it', () => {
  expect(printPrefix(blockAround(parseRange('198.18.64.0 - 198.18.66.255')))).toBe('198.18.64.0/22');
  expect(printPrefix(blockAround(parseRange('127.255.0.0 - 128.0.0.255')))).toBe('127.255.0.0/16');
});

test('blocks are disjoint, ordered, add up to the drawn block, and are limited in number', () => {
  const within = parsePrefix('10.0.0.0/8');
  const cuts = fc.uniqueArray(fc.integer({ min: 0, max: 2 ** 24 - 1 }), { minLength: 2, maxLength: 6_000, size: 'max' });
  fc.assert(
    fc.property(cuts, fc.boolean(), (points, assigned) => {
      const sorted = points.sort((a, b) => a - b);
      const ranges: HeldRange[] = [];
      for (let at = 0; at + 1 < sorted.length; at += 2) {
        const [first, last] = [within.first + BigInt(sorted[at] as number), within.first + BigInt(sorted[at + 1] as number)];
        ranges.push({
          family: 'ipv4',
          first,
          last,
          delegationId: at,
          type: assigned ? 'assigned' : 'allocated',
          status: 'active',
          empty: true,
        });
      }
      const blocks = blocksOf(within, stretchesOf(within, ranges, []));
      expect(blocks.length).toBeLessThanOrEqual(2_050);
      let next = 0n;
      for (const block of blocks) {
        expect(BigInt(block.offset)).toBe(next);
        next += BigInt(block.size);
      }
      expect(next).toBe(2n ** 24n);
      expect(new Set(blocks.map(({ id }) => id)).size).toBe(blocks.length);
    }),
    { numRuns: 15 },
  );
});
