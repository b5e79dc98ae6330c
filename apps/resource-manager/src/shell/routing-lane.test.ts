import { expect, test } from 'vitest';
import { routedAndRoaLanes, routingLane } from './routing-lane.ts';

const origin = 0xc6120000n; // 198.18.0.0
const seen = (prefix: string, validity: 'valid' | 'invalid-asn' | 'invalid-length' | 'not-found') => ({
  prefix,
  asn: 64500,
  peers: 9,
  validity,
  roas: [],
  roaCount: 0,
});
const silent = (prefix: string) => ({ prefix, asn: 64500, maxLength: 24 });
const drawn = (...given: Parameters<typeof routingLane>) =>
  routingLane(...given).spans.map(({ start, size, state }) => `${start}+${size} ${state}`);

test('each address is drawn by its most specific announcement, and unannounced space stays blank', () => {
  const announcements = [seen('198.18.0.0/22', 'valid'), seen('198.18.1.0/24', 'invalid-asn'), seen('198.18.8.0/24', 'not-found')];
  expect(drawn({ announcements, silent: [] }, origin)).toEqual(['0+256 valid', '256+256 invalid', '512+512 valid', '2048+256 not-found']);
});

test('a ROA is drawn where nothing is announced, with announcements inside it on top', () => {
  const lane = { announcements: [seen('198.18.1.0/24', 'valid')], silent: [silent('198.18.0.0/23'), silent('198.18.1.0/25')] };
  expect(drawn(lane, origin)).toEqual(['0+256 covered', '256+256 valid']);
});

test('of two networks that announce the same prefix the invalid one is drawn', () => {
  expect(drawn({ announcements: [seen('198.18.0.0/24', 'invalid-asn'), seen('198.18.0.0/24', 'valid')], silent: [] }, origin)).toEqual([
    '0+256 invalid',
  ]);
});
test('announcements and ROAs have a lane each, empty until they are read', () => {
  const spansIn = (lanes: ReturnType<typeof routedAndRoaLanes>) =>
    lanes.map(({ id, spans }) => [id, ...spans.map(({ start, size, state }) => `${start}+${size} ${state}`)]);
  expect(spansIn(routedAndRoaLanes(null, origin))).toEqual([['routed'], ['roa']]);
  const seeing = { announcements: [seen('198.18.1.0/24', 'valid'), seen('198.18.2.0/24', 'not-found')], silent: [silent('198.18.0.0/24')] };
  expect(spansIn(routedAndRoaLanes(seeing, origin))).toEqual([
    ['routed', '256+256 routed', '512+256 routed'],
    ['roa', '0+256 covered', '256+256 valid', '512+256 not-found'],
  ]);
});
