import type { Feed } from '../../platform/module.ts';
import { lastRound } from '../../platform/periodic-work.ts';

/** Copies of the whois database for others. */
export const mirrorFeeds: readonly Feed[] = [
  {
    name: 'whois-files',
    title: 'Whois files',
    role: 'worker',
    usual: () => 180,
    asOf: async ({ db }) => ((await lastRound(db.read, 'mirrors.dumpHourly'))?.noted as { at: string } | null | undefined)?.at ?? null,
  },
  {
    name: 'nrtm4',
    title: 'NRTM for mirrors',
    role: 'worker',
    usual: () => 15,
    asOf: async ({ db }) => (await lastRound(db.read, 'mirrors.publishNrtm'))?.succeededAt ?? null,
  },
];
