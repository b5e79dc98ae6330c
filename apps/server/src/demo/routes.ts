import { DAY_MS, instantBefore } from '@portal/contract/days';
import type { RouteChanges } from '@portal/contract/routes/routes';
import { routeVersion, saveRoutes, storeBgpTable } from '../modules/routes/index.ts';
import type { Config } from '../config.ts';
import type { Change, Database } from '../platform/database/index.ts';
import type { AdmittedAccount } from '../platform/endpoints.ts';
import type { Profile } from '../profile.ts';

/**
 * Announcements that collectors see in the demo registry: most are valid. 198.18.8.0/24 is invalid, because the ROA of the block around it names another AS number: one route repairs it. A more specific IPv6 prefix is
 * longer than its ROA allows, and 198.18.66.0/24 has no ROA.
 */
const seen: readonly [prefix: string, asn: number, peers: number][] = [
  ['198.18.0.0/19', 64500, 328],
  ['198.18.8.0/24', 65536, 41],
  ['198.18.64.0/24', 65536, 327],
  ['198.18.65.0/24', 65536, 326],
  ['198.18.66.0/24', 64500, 325],
  ['2001:db8::/32', 64500, 318],
  ['2001:db8:1000::/36', 64500, 312],
  ['198.51.100.0/24', 64501, 331],
  ['3fff:200::/32', 64501, 317],
  ['192.0.2.0/24', 64511, 322],
  ['198.18.128.0/18', 64502, 330],
];

/** Loads what collectors saw four hours ago. */
export async function loadDemoBgp(db: Database, today: Date): Promise<void> {
  await db.change({ action: 'routes.importTable', summary: 'Imported a BGP table', traceId: '0'.repeat(32) }, async change => {
    for (const family of [4, 6] as const)
      await storeBgpTable(change, {
        family,
        fileName: 'demo',
        collectedAt: instantBefore(today, DAY_MS / 6),
        announced: seen
          .filter(([prefix]) => prefix.includes(':') === (family === 6))
          .map(([prefix, asn, peers]) => ({ prefix, asn, peers })),
        shrinks: true,
      });
  });
}

const changes: readonly Partial<RouteChanges>[] = [
  {
    adopt: [
      { prefix: '198.18.0.0/19', asn: 'AS64500' },
      { prefix: '198.18.64.0/23', asn: 'AS65536' },
      { prefix: '2001:db8::/32', asn: 'AS64500' },
      { prefix: '203.0.113.0/24', asn: 'AS0' },
    ],
  },
  {
    add: [
      {
        prefix: '198.18.24.0/24',
        asn: 'AS64501',
        roa: false,
        whois: true,
        subRoutes: [],
        descr: 'Harvest Markets, through Other Cloud',
        maintainer: '',
        attributes: '',
        comment: 'Waits for Other Cloud',
        owner: 'Network team',
      },
    ],
  },
];

/** Routes of EXAMPLE-AU: most adopted, one from another member's AS number that waits for its consent. Returns one change a run. */
export const demoRouteChanges = changes.map(
  part =>
    async (change: Change, account: AdmittedAccount, { config, profile }: { config: Config; profile: Profile }): Promise<void> => {
      await saveRoutes(
        change,
        account,
        { add: [], change: [], remove: [], adopt: [], text: '', ...part, version: await routeVersion(change, account.accountName) },
        { profile, limits: config, isFresh: true },
      );
    },
);
