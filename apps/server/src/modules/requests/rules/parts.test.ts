import { describe, expect, test } from 'vitest';
import { policy, stateIn } from './example-facts.ts';
import type { GateObstacle } from '../../resources/index.ts';
import { announcedCheck, checkParts, type PartFacts } from './parts.ts';

describe('what moves', () => {
  const part = (given: Partial<PartFacts>): PartFacts => ({
    resource: '198.18.0.0/24',
    kind: 'ipv4',
    obstacle: null,
    holdUntil: null,
    purpose: null,
    lockedBy: null,
    historical: false,
    ownLock: false,
    ...given,
  });
  const stateOf = (checkId: string, given: Partial<PartFacts>, kind: 'transfer' | 'acquisition' | 'return' = 'transfer') =>
    stateIn(checkParts(kind, [part(given)], '2026-11-22', { requestPolicy: policy }), checkId);

  test('passes the gate of the ledger, whose rule is named', () => {
    const kept = (rule: GateObstacle['rule']) => ({ obstacle: { rule, resource: '198.18.0.0/25', words: 'is smaller than a /24' } });
    for (const [rule, checkId] of [
      ['size', 'smallest'],
      ['rest', 'rest'],
      ['special', 'special'],
    ] as const) {
      expect(stateOf(checkId, {})).toBe('met');
      expect(stateOf(checkId, kept(rule))).toBe('unmet');
    }
  });
  test('must be held for five years, but may be returned earlier', () => {
    expect(['2026-11-21', '2026-11-22', '2026-11-23'].map(holdUntil => stateOf('hold', { holdUntil }))).toEqual(['met', 'met', 'unmet']);
    expect(stateOf('hold', { holdUntil: '2026-11-23' }, 'return')).toBeUndefined();
  });
  test('is IPv6 only after a merger, and historical space is reviewed', () => {
    expect(stateOf('no-ipv6', { kind: 'ipv6' })).toBe('unmet');
    expect(stateOf('no-ipv6', { kind: 'ipv6' }, 'acquisition')).toBeUndefined();
    expect(stateOf('historical', { historical: true })).toBe('review');
    expect(stateOf('unlocked', { lockedBy: 'REQ-12' })).toBe('unmet');
    expect(['transfer', 'acquisition', 'return'].map(kind => stateOf('own-lock', { ownLock: true }, kind as 'return'))).toEqual([
      'unmet',
      'unmet',
      'unmet',
    ]);
    expect(stateOf('own-lock', {})).toBeUndefined();
  });
  test('can’t be delegated for one use, because that can only be returned', () => {
    expect([null, 'exchange', 'temporary'].map(purpose => stateOf('purpose', { purpose: purpose as PartFacts['purpose'] }))).toEqual([
      undefined,
      'unmet',
      'unmet',
    ]);
    expect(stateOf('purpose', { purpose: 'exchange' }, 'acquisition')).toBe('unmet');
    expect(stateOf('purpose', { purpose: 'exchange' }, 'return')).toBeUndefined();
  });
});

test('space that is returned is reviewed while collectors still see it, the most seen first, and without a table there is nothing to check', () => {
  const seen = (
    announcements: Parameters<typeof announcedCheck>[0]['announcements'],
    collectedAt: string | null = '2026-11-30T18:00:00.000Z',
  ) => announcedCheck({ collectedAt, peers: 331, announcements })[0];
  const one = { prefix: '192.0.2.0/24', asn: 64511, peers: 322 };
  expect(seen([{ ...one, asn: 64512, peers: 2 }, one])).toMatchObject({
    state: 'review',
    known: 'AS64511 announces 192.0.2.0/24, seen by 322 of 331 peers; AS64512 announces 192.0.2.0/24, seen by 2 of 331 peers',
  });
  expect(seen([])).toMatchObject({ state: 'met', known: 'Not seen by any of 331 peers' });
  expect(seen([one], null)).toBeUndefined();
});
