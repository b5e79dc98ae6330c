import type { Feed } from '../../../platform/module.ts';
import { lastRound } from '../../../platform/periodic-work.ts';
import { zoneRounds } from './publisher.ts';

/** The files of reverse zones, which name servers load. */
export const zoneFeed: Feed = {
  name: 'reverse-zones',
  title: 'Reverse zones',
  role: 'publisher',
  usual: () => 15,
  asOf: async ({ db }) => (await lastRound(db.read, zoneRounds))?.succeededAt ?? null,
};
