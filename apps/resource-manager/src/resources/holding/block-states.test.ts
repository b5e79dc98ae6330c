import type { RoutedSpace, SeenAnnouncement } from '@portal/contract/routes/routed-space';
import { expect, test } from 'vitest';
import { placedZones, reverseLane } from '../../shell/reverse-lane.ts';
import { parsePrefix } from '@portal/number-resources';
import { routeOf, zonesOf } from './block-states.ts';

const seen = (prefix: string, asn: number, validity: SeenAnnouncement['validity'] = 'valid'): SeenAnnouncement => ({
  prefix,
  asn,
  peers: 300,
  validity,
  roas: [],
  roaCount: 0,
});
const space = (announcements: SeenAnnouncement[], rest: Partial<RoutedSpace> = {}): RoutedSpace => ({
  collectedAt: '2026-11-30T00:00:00.000Z',
  announcements,
  silent: [],
  more: false,
  ...rest,
});
const announcements = [
  seen('198.18.0.0/19', 64500),
  seen('198.18.8.0/23', 64500, 'not-found'),
  seen('198.18.8.0/24', 65536, 'invalid-asn'),
];

const seenSpace = space(announcements);

test('a block is announced by what is in it, else by the closest around it; what needs attention comes first', () => {
  expect(routeOf(seenSpace, '198.18.8.0/22')).toMatchObject({
    origins: [65536, 64500],
    first: { prefix: '198.18.8.0/24' },
    count: 2,
    alike: 1,
  });
  expect(routeOf(seenSpace, '198.18.9.0 - 198.18.9.127')).toMatchObject({ first: { prefix: '198.18.8.0/23' }, count: 1 });
  expect(routeOf(seenSpace, '198.18.24.0/24')).toMatchObject({ origins: [64500], first: { validity: 'valid' }, count: 1, alike: 1 });
  expect(routeOf(seenSpace, '198.18.32.0/24')).toBeNull();
});

test('without a table, or with more than is listed, nothing is said of a block', () => {
  expect(routeOf(space(announcements, { collectedAt: null }), '198.18.32.0/24')).toBeUndefined();
  expect(routeOf(space(announcements, { more: true }), '198.18.24.0/24')).toBeUndefined();
});

const zones = placedZones([
  { zone: '0.18.198.in-addr.arpa', state: 'ok' },
  { zone: '1.18.198.in-addr.arpa', state: 'lame' },
  { zone: '3.18.198.in-addr.arpa', state: 'unchecked' },
]);

test('a block has the delegated zones in it, and a part of a zone has that one', () => {
  expect(zonesOf(zones, '198.18.0.0/22')).toEqual({ delegated: 3, lame: 1 });
  expect(zonesOf(zones, '198.18.1.64/26')).toEqual({ delegated: 1, lame: 1 });
  expect(zonesOf(zones, '198.18.2.0/24')).toEqual({ delegated: 0, lame: 0 });
});

test('the lane of reverse zones has each where it lies, and nothing where none is delegated', () => {
  expect(reverseLane(zones, parsePrefix('198.18.0.0/19')).spans).toEqual([
    { start: 0n, size: 256n, state: 'answers' },
    { start: 256n, size: 256n, state: 'lame' },
    { start: 768n, size: 256n, state: 'answers' },
  ]);
  expect(reverseLane(zones, parsePrefix('198.18.32.0/24')).spans, 'zones elsewhere').toEqual([]);
});
