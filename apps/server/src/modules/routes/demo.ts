import { DAY_MS, instantBefore } from '@portal/contract/days';
import type { RouteChanges } from '@portal/contract/routes/routes';
import type { DemoRegistry } from '../../platform/demo.ts';
import { routeVersion } from './account-routes.ts';
import { storeBgpTable } from '../bgp-tables/index.ts';
import { saveRoutes } from './save-routes.ts';

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

/** Adds announcements seen by collectors four hours ago. */
const addSeen = ({ change: changeDemo, today }: DemoRegistry): Promise<void> =>
  changeDemo({ action: 'routes.importTable', summary: 'Imported a BGP table' }, async change => {
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

const changes: readonly (Partial<RouteChanges> & { daysAgo: number })[] = [
  {
    daysAgo: 185,
    adopt: [
      { prefix: '198.18.0.0/19', asn: 'AS64500' },
      { prefix: '198.18.64.0/23', asn: 'AS65536' },
      { prefix: '2001:db8::/32', asn: 'AS64500' },
      { prefix: '203.0.113.0/24', asn: 'AS0' },
    ],
  },
  {
    // The consent can be given for a week.
    daysAgo: 3,
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

/** Adds routes of EXAMPLE-AU, most of them adopted and one from another member's AS number waiting for consent, and announcements. */
export async function addDemoLife(registry: DemoRegistry): Promise<void> {
  const { config, profile } = registry;
  for (const { daysAgo, ...part } of changes)
    await registry.changeAs({
      person: 'corin',
      accountName: 'EXAMPLE-AU',
      action: 'routes.saveRoutes',
      daysAgo,
      dated: true,
      summary: 'Changed routes',
      run: async (change, { account }) =>
        saveRoutes(
          {
            change,
            account,
            body: {
              add: [],
              change: [],
              remove: [],
              adopt: [],
              text: '',
              ...part,
              version: await routeVersion(change, account.accountName),
            },
            registry: { profile, config },
          },
          { lines: [], problems: [] },
        ),
    });
  await addSeen(registry);
}

export { regionStages } from './demo-region.ts';
