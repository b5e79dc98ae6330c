import { DAY_MS, instantAfter, instantBefore } from '@portal/contract/days';
import type { DemoRegistry } from '../../platform/demo.ts';
import { noteSeenZones } from './checks/zone-states.ts';
import { addDemoReports } from './demo-reports.ts';
import { submitZones } from './submission.ts';

/** The example key of RFC 6605. */
const demoKey = '257 3 13 GojIhhXUN/u4v54ZQqGSnyhWJwaubCvTmeexv7bR6edbkrSqQpF64cYbcB7wNcP+e+MAnLr+Wi9xMWyQLc8NAA==';

/** Returns check results of the demo zones: one of each state. */
const seenZones = (today: Date) => [
  ...[0, 1, 2, 4, 5].map(third => ({ zone: `${third}.18.198.in-addr.arpa`, state: 'ok' as const, signed: third !== 2 })),
  {
    zone: '3.18.198.in-addr.arpa',
    state: 'lame' as const,
    signed: false,
    problem: 'ns2.example.net (192.0.2.54) refuses the zone (REFUSED)',
    lame: { server: 'ns2.example.net', since: instantBefore(today, 18 * DAY_MS), notifiedAt: instantBefore(today, 3 * DAY_MS) },
  },
  {
    zone: '6.18.198.in-addr.arpa',
    state: 'warning' as const,
    signed: true,
    problem: 'Signatures on ns1.example.net end in two days',
    signaturesEnd: instantAfter(today, 2 * DAY_MS),
  },
  { zone: '7.18.198.in-addr.arpa', state: 'warning' as const, signed: true, problem: 'Different serials: 2026112103 and 2026112201' },
  { zone: '113.0.203.in-addr.arpa', state: 'ok' as const, signed: false },
];

/** Adds reverse delegations, and what checks of their name servers saw. */
export async function addDemoLife({ changeAs, profile, config, today }: DemoRegistry): Promise<void> {
  await changeAs({
    person: 'tess',
    accountName: 'EXAMPLE-AU',
    action: 'reverseDns.submitZones',
    daysAgo: 268,
    summary: 'Changed reverse delegations',
    run: async (change, { account }) => {
      const contact = { descr: '', adminC: 'ENO1-EX', techC: 'ENO1-EX', zoneC: 'ENO1-EX', mntBy: 'MAINT-AU-EXAMPLE', reason: '' };
      const servers = ['ns1.example.net', 'ns2.example.net'];
      const zones = [0, 1, 4, 5, 6, 7, 8].map(third => `${third}.18.198.in-addr.arpa`);
      const request = { ...contact, zones, servers, keys: demoKey, operation: 'delegate' as const };
      await submitZones({ change, account, body: request, registry: { profile, config } });
      await noteSeenZones(change, seenZones(today));
      await addDemoReports(change, today);
    },
  });
}

export { regionStages } from './demo-region.ts';
