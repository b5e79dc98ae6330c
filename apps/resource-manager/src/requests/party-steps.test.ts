import { DAY_MS } from '@portal/contract/days';
import { emptyForm } from '@portal/contract/requests/request-form';
import { expect, it } from 'vitest';
import { spansOf, stepsOfParties } from './party-steps.ts';

const now = Date.parse('2026-11-20T09:00:00Z');
const terms = { acknowledgeDays: 30, feeDays: 14, holdDays: 30, draftDays: 30, answerDays: 30, holdYears: 5, ipv4Smallest: 24 };
const fee = { currency: 'AUD', amount: '451.28', payer: 'OTHER-SG', why: '20 %', unless: null };
const plan = {
  moves: ['198.18.8.0/22'],
  keeps: [],
  effects: [],
  more: 0,
  fee,
  announcements: { collectedAt: null, rows: [], total: 0 },
  typicalDays: null,
};
const offer = {
  kind: 'transfer',
  state: 'draft',
  form: { ...emptyForm, recipient: 'OTHER-SG' },
  submittedAt: null,
  resolvedAt: null,
  expiresAt: null,
  events: [],
  plan,
  due: null,
  terms,
  place: null,
} as Parameters<typeof stepsOfParties>[0];
const inShort = (change: Partial<typeof offer>): string[] =>
  stepsOfParties({ ...offer, ...change }, now).map(({ title, lane, state }) => `${title} ${lane} ${state}`);

it('a draft has the move with its sender, and the recipient a last day by the rules', () => {
  expect(inShort({})).toEqual([
    'Send sender now',
    'Acknowledge recipient later',
    'Review registry later',
    'Pay the fee recipient later',
    'Complete registry later',
  ]);
  expect(stepsOfParties(offer, now)[1]).toMatchObject({ by: '2026-12-20T09:00:00.000Z', words: 'within 30 days' });
});

it('the move goes on to the recipient, the registry, and who pays', () => {
  const event = {
    eventId: '1',
    kind: 'acknowledged',
    at: '2026-11-23T09:00:00.000Z',
    by: null,
    byStaff: false,
    internal: false,
    party: null,
    words: '',
  };
  const sent = { submittedAt: '2026-11-20T09:00:00.000Z' };
  expect(inShort({ ...sent, state: 'offered', expiresAt: '2026-12-20T09:00:00.000Z' }).slice(0, 2)).toEqual([
    'Send sender done',
    'Acknowledge recipient now',
  ]);
  for (const state of ['submitted', 'in-review', 'needs-info'] as const)
    expect(inShort({ ...sent, state, events: [event] })[2]).toBe('Review registry now');
  expect(inShort({ ...sent, state: 'awaiting-fee', events: [event] })[3]).toBe('Pay the fee recipient now');
  expect(inShort({ ...sent, state: 'completed', resolvedAt: '2026-12-01T00:00:00.000Z' })).not.toContain('Complete registry later');
});

it('a case that ended shows which steps it never reached', () => {
  expect(inShort({ state: 'withdrawn', submittedAt: '2026-11-20T09:00:00.000Z', resolvedAt: '2026-11-21T09:00:00.000Z' })).toEqual([
    'Send sender done',
    'Acknowledge recipient ended',
    'Review registry ended',
    'Pay the fee recipient ended',
    'Complete registry ended',
  ]);
});

it('a transfer to another registry has no recipient here and is paid by its sender, and a return has neither', () => {
  expect(inShort({ form: { ...emptyForm, otherRegistry: 'RIPE NCC' } })).toEqual([
    'Send sender now',
    'Review registry later',
    'Pay the fee sender later',
    'Complete registry later',
  ]);
  expect(inShort({ kind: 'return', plan: { ...plan, fee: null } })).toEqual([
    'Send sender now',
    'Review registry later',
    'Complete registry later',
  ]);
});

it('the time of each step ahead is the longest that the rules allow, and that of a step that is done as it was', () => {
  const inDays = (change: Partial<typeof offer>) => {
    const given = { ...offer, ...change };
    return spansOf(stepsOfParties(given, now), given, now).map(({ from, to }) => [(from - now) / DAY_MS, (to - now) / DAY_MS]);
  };
  expect(inDays({})).toEqual([
    [0, 0],
    [0, 30],
    [30, 30],
    [30, 44],
    [44, 44],
  ]);
  const at = (days: number): string => new Date(now + days * DAY_MS).toISOString();
  const acknowledged = {
    eventId: '1',
    kind: 'acknowledged',
    at: at(-2),
    by: null,
    byStaff: false,
    internal: false,
    party: null,
    words: '',
  };
  expect(inDays({ state: 'submitted', submittedAt: at(-5), events: [acknowledged] })).toEqual([
    [-5, -5],
    [-5, -2],
    [-2, 0],
    [0, 14],
    [14, 14],
  ]);
});
