import type { PlannedAnnouncement, PlannedEffect, TransferPlan } from '@portal/contract/requests/requests';
import { expect, it } from 'vitest';
import { actOf, checksOf, needsOf, risksOf } from './plan-check.ts';

const effect = (what: PlannedEffect['what'], name: string, act: PlannedEffect['act']): PlannedEffect => ({
  what,
  name,
  act,
  today: '',
  on: '',
  plan: null,
});
const announcement = (prefix: string, part: Partial<PlannedAnnouncement> = {}): PlannedAnnouncement => ({
  prefix,
  asn: 64_500,
  peers: 40,
  before: 'valid',
  after: 'valid',
  moves: true,
  ...part,
});
const seen = (...rows: PlannedAnnouncement[]): TransferPlan['announcements'] => ({
  collectedAt: '2026-11-26T06:00:00.000Z',
  rows,
  total: rows.length,
});
const wordsOf = (announcements: TransferPlan['announcements'], each: PlannedEffect): string => checksOf(announcements)(each).words;

it('warns of a ROA whose announcement is valid no longer, of its own AS number alone', () => {
  const loses = seen(announcement('198.18.8.0/24', { after: 'not-found' }));
  expect(wordsOf(loses, effect('roa', 'AS64500 198.18.8.0/22-24', 'ends'))).toBe('No ROA afterwards');
  expect(wordsOf(loses, effect('roa', 'AS65536 198.18.8.0/22-24', 'ends'))).toBe('Ready');
  expect(wordsOf(loses, effect('delegation', '198.18.8.0/22', 'moves'))).toBe('No ROA afterwards');
  const breaks = checksOf(seen(announcement('198.18.8.0/24', { after: 'invalid' })));
  expect(breaks(effect('roa', 'AS64500 198.18.8.0/22-24', 'changes'))).toEqual({ state: 'invalid', words: 'Turns invalid', needs: true });
});

it('warns of routes and registrations that end or are split while they are announced', () => {
  const valid = seen(announcement('198.18.0.0/20'), announcement('198.18.9.0/24', { asn: 65_536 }));
  expect(wordsOf(valid, effect('route', '198.18.0.0/20AS64500', 'changes'))).toBe('Announce the parts');
  expect(wordsOf(valid, effect('route', '198.18.0.0/20AS64500', 'ends'))).toBe('Still announced');
  expect(wordsOf(valid, effect('route', '198.18.0.0/20AS64500', 'moves'))).toBe('Ready');
  // Covered by the announcement of the larger one only.
  expect(wordsOf(valid, effect('route', '198.18.8.0/22AS64500', 'ends'))).toBe('Ready');
  expect(wordsOf(valid, effect('registration', '198.18.9.0/24', 'ends'))).toBe('Still announced');
  expect(wordsOf(valid, effect('registration', '198.18.9.0 - 198.18.10.127', 'ends'))).toBe('Still announced');
  expect(wordsOf(valid, effect('registration', '198.18.9.0/24', 'moves'))).toBe('Ready');
  expect(wordsOf(valid, effect('registration', '198.18.10.0/24', 'ends'))).toBe('Ready');
});

it('says of a reverse zone that goes along what the last check found, and nothing of one that ends', () => {
  const zone = (found: NonNullable<PlannedEffect['zone']>, act: PlannedEffect['act'] = 'moves') =>
    checksOf(seen())({ ...effect('reverse', '8.18.198.in-addr.arpa', act), zone: found });
  expect(zone('ok')).toEqual({ state: 'valid', words: 'Ready', needs: false });
  expect(zone('lame')).toEqual({ state: 'warning', words: 'Doesn’t answer', needs: true });
  expect(zone('warning').words).toBe('Answers with faults');
  expect(zone('unchecked').words).toBe('Not checked yet');
  expect(zone('lame', 'holds').needs).toBe(true);
  expect(zone('lame', 'ends').words).toBe('Ready');
});

it('calls nothing ready by announcements that no one has seen', () => {
  const none = { collectedAt: null, rows: [], total: 0 };
  expect(wordsOf(none, effect('route', '2001:db8::/32AS64500', 'moves'))).toBe('Routing unknown');
  expect(wordsOf({ ...seen(announcement('198.18.8.0/24')), total: 90 }, effect('registration', '198.18.9.0/24', 'ends'))).toBe(
    'Routing unknown',
  );
  expect(wordsOf({ ...seen(announcement('198.18.8.0/24')), total: 90 }, effect('roa', 'AS64500 198.18.9.0/24', 'ends'))).toBe('Ready');
  // No announcement depends on these.
  expect(wordsOf(none, effect('reverse', '8.18.198.in-addr.arpa', 'ends'))).toBe('Ready');
  expect(wordsOf(none, effect('delegation', 'AS64500', 'moves'))).toBe('Ready');
});

it('names what has to be accepted with a plan, and what needs attention', () => {
  const announcements = seen(announcement('198.18.0.0/19', { after: 'not-found' }), announcement('198.18.9.0/24'));
  const effects = [
    effect('route', '198.18.0.0/19AS64500', 'changes'),
    { ...effect('route', '198.18.9.0/24AS64500', 'moves'), plan: 'end' } as const,
  ];
  const plan: TransferPlan = { moves: ['198.18.8.0/22'], keeps: [], effects, more: 0, fee: null, announcements, typicalDays: null };
  expect(risksOf(plan)).toEqual(['198.18.0.0/19 from AS64500 becomes Not found']);
  expect(needsOf(plan)).toEqual([
    { name: '198.18.0.0/19 AS64500', words: 'No ROA afterwards' },
    { name: '198.18.9.0/24 AS64500', words: 'Still announced' },
  ]);
  expect(risksOf({ ...plan, announcements: seen(announcement('198.18.9.0/24')) })).toEqual([]);
});

it('ends nothing that a block only names', () => {
  expect(actOf({ ...effect('contact', 'ENO1-EX', 'changes'), plan: 'end' })).toBe('changes');
  expect(actOf({ ...effect('route', '198.18.9.0/24AS64500', 'moves'), plan: 'end' })).toBe('ends');
  expect(actOf({ ...effect('contact', 'ENO1-EX', 'changes'), plan: 'hold' })).toBe('holds');
});
