import type { SeenAnnouncement } from '@portal/contract/routes/routed-space';
import { expect, test } from 'vitest';
import type { BlockRoute } from './block-states.ts';
import { isAnnounced } from './route-filter.tsx';

const route = (validity: SeenAnnouncement['validity']): BlockRoute => ({
  origins: [64500],
  first: { prefix: '198.18.8.0/24', asn: 64500, peers: 300, validity, roas: [], roaCount: 0 },
  count: 1,
  alike: 1,
});

test('blocks are chosen by the announcement that their row shows', () => {
  const routes = [route('valid'), route('invalid-asn'), route('invalid-length'), route('not-found'), null, undefined];
  const kept = (choice: Parameters<typeof isAnnounced>[1]) => routes.map(each => isAnnounced(each, choice));
  expect(kept('any')).toEqual([true, true, true, true, true, true]);
  expect(kept('valid')).toEqual([true, false, false, false, false, false]);
  expect(kept('invalid')).toEqual([false, true, true, false, false, false]);
  expect(kept('not-found')).toEqual([false, false, false, true, false, false]);
  expect(kept('none')).toEqual([false, false, false, false, true, false]);
});
