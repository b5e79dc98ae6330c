import { parseRange } from '@portal/number-resources';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type OverviewDelegation, overviewOf } from './address-overview.ts';

const held = (resource: string, more: Partial<OverviewDelegation> = {}): OverviewDelegation => ({
  ...parseRange(resource),
  resource,
  type: 'allocated',
  status: 'active',
  used: 0n,
  ...more,
});

test('strips are as fine as possible while few and not cutting a delegation', () => {
  const near = overviewOf('ipv4', [held('113.24.0.0/14'), held('113.64.0.0/16')]);
  expect(near.strips.map(({ within }) => within)).toEqual(['113.24.0.0/14', '113.64.0.0/14']);
  const far = overviewOf('ipv4', [held('113.0.0.0/10'), ...Array.from({ length: 20 }, (_, at) => held(`${at + 114}.0.0.0/16`))]);
  expect(far).toMatchObject({ stripLength: 10, delegations: 21, size: String(2 ** 22 + 20 * 2 ** 16) });
  expect(
    overviewOf(
      'ipv4',
      Array.from({ length: 40 }, (_, at) => held(`${at + 100}.0.0.0/9`)),
    ).stripLength,
  ).toBe(8);
});

test('a delegation shows how much of it is assigned', () => {
  const { strips, counts } = overviewOf('ipv4', [
    held('113.0.0.0/10'),
    held('113.64.0.0/10', { used: 256n }),
    held('113.128.0.0/10', { used: 2n ** 22n }),
    held('113.192.0.0/11', { type: 'assigned' }),
    held('113.224.0.0/11', { status: 'locked' }),
  ]);
  expect(strips.flatMap(({ marks }) => marks.map(({ kind }) => kind))).toEqual(['unassigned', 'partly', 'full', 'own', 'held']);
  expect(counts.find(({ kind }) => kind === 'held')?.size).toBe(String(2 ** 21));
});

test('delegations too close to distinguish are one mark with their number', () => {
  const near = Array.from({ length: 300 }, (_, at) => held(`203.0.${at % 256}.${at < 256 ? 0 : 128}/25`, { used: BigInt(at % 2) }));
  near.sort((a, b) => (a.first < b.first ? -1 : 1));
  const { strips, lengths } = overviewOf('ipv4', [held('10.0.0.0/8'), ...near]);
  const marks = strips.at(-1)?.marks ?? [];
  expect(marks.length).toBeLessThan(10);
  expect(marks.reduce((sum, { delegations }) => sum + delegations, 0)).toBe(300);
  expect(lengths).toEqual([
    { length: 8, delegations: 1 },
    { length: 25, delegations: 300 },
  ]);
});

test('an account that holds nothing has no strips', () => {
  expect(overviewOf('ipv6', [])).toMatchObject({ size: '0', delegations: 0, strips: [], lengths: [] });
});

test('the strips add up to the holding, and every mark is inside its strip', () => {
  const cuts = fc.uniqueArray(fc.integer({ min: 0, max: 2 ** 32 - 1 }), { minLength: 2, maxLength: 4_000, size: 'max' });
  fc.assert(
    fc.property(cuts, points => {
      const sorted = points.sort((a, b) => a - b);
      const delegations: OverviewDelegation[] = [];
      for (let at = 0; at + 1 < sorted.length; at += 2) {
        const [first, last] = [BigInt(sorted[at] as number), BigInt((sorted[at + 1] as number) - 1)];
        delegations.push({ ...held('10.0.0.0/8'), resource: `${first}`, first, last: last < first ? first : last });
      }
      const overview = overviewOf('ipv4', delegations);
      const sum = (all: readonly { size: string }[]) => all.reduce((total, { size }) => total + BigInt(size), 0n);
      expect(sum(overview.strips)).toBe(BigInt(overview.size));
      expect(sum(overview.counts)).toBe(BigInt(overview.size));
      for (const { marks } of overview.strips) {
        expect(marks.length).toBeLessThanOrEqual(3 * 1_024);
        let next = 0;
        for (const { start, share } of marks) {
          expect(start).toBeGreaterThanOrEqual(next - 1e-9);
          next = start + share;
        }
        expect(next).toBeLessThanOrEqual(1 + 1e-9);
      }
    }),
    { numRuns: 20 },
  );
});
