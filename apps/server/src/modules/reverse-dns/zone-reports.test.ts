import { api } from '@portal/contract/api';
import { DAY_MS, daysAfter, instantBefore, utcDay } from '@portal/contract/days';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { noteSeenZones } from './checks/zone-states.ts';
import { addDemoReports } from './demo-reports.ts';

type Client = Awaited<ReturnType<TestPortal['as']>>;
const account = 'EXAMPLE-AU';
const activity = { action: 'test', summary: 'Set the scene', traceId: '0'.repeat(32) };

describe.each(kindsForRules)('the page of one reverse zone on %s', kind => {
  let portal: TestPortal;
  let tess: Client;
  let olive: Client;
  const zoneOf = async (zone: string) => (await tess(api.zoneReports.getZone, { account, zone })).data!;
  beforeAll(async () => {
    portal = await testPortal(kind);
    [tess, olive] = (await Promise.all(['tess', 'olive'].map(name => portal.as(name)))) as [Client, Client];
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  test('has no report before the first check, and none for a zone that is not delegated', async () => {
    expect(await zoneOf('3.18.198.in-addr.arpa')).toMatchObject({ zone: { state: 'unchecked' }, run: null, lame: [] });
    expect(await zoneOf('29.18.198.in-addr.arpa')).toMatchObject({ zone: { state: 'missing', version: null }, run: null, contacts: null });
  });

  test('has the report of the last check, and the days on which the registry acts on a server that doesn’t answer', async () => {
    const now = portal.context.clock();
    const [since, notifiedAt] = [instantBefore(now, 18 * DAY_MS), instantBefore(now, 3 * DAY_MS)];
    await portal.db.change(activity, async change => {
      const lame = { server: 'ns2.example.net', since, notifiedAt };
      await noteSeenZones(change, [{ zone: '3.18.198.in-addr.arpa', state: 'lame', signed: false, problem: 'refuses the zone', lame }]);
      await addDemoReports(change, now);
    });
    const { zone, run, lame, contacts } = await zoneOf('3.18.198.IN-ADDR.ARPA.');
    expect(zone).toMatchObject({ zone: '3.18.198.in-addr.arpa', state: 'lame', prefix: '198.18.3.0/24' });
    expect(run).toMatchObject({ state: 'done', grade: 'error', undelegated: false });
    expect(run!.report!.servers.map(({ state }) => state)).toEqual(['authoritative', 'lame']);
    const { lameNotifyDays } = portal.context.profile;
    expect(lame).toEqual([
      {
        server: 'ns2.example.net',
        since: utcDay(since),
        notifyOn: utcDay(notifiedAt),
        notifiedOn: utcDay(notifiedAt),
        removeOn: daysAfter(utcDay(notifiedAt), lameNotifyDays),
        removedOn: null,
      },
    ]);
    expect(contacts!.adminC).not.toBe('');
  });

  test('shows no report of the delegation that was there before', async () => {
    await portal.db.change(activity, change =>
      change.rows(sql`update rdns_check set asked_at = asked_at - interval '9 years' where zone = '3.18.198.in-addr.arpa'`),
    );
    expect((await zoneOf('3.18.198.in-addr.arpa')).run).toBeNull();
  });

  test('is only for zones in the account’s own space that a registry can delegate', async () => {
    for (const zone of ['example.net', '1.3.18.198.in-addr.arpa', 'in-addr.arpa', '64-127.3.18.198.in-addr.arpa', '0.192.in-addr.arpa'])
      expect(await tess(api.zoneReports.getZone, { account, zone })).toMatchObject({ status: 404, errors: [{ code: 'NOT_FOUND' }] });
    expect(await olive(api.zoneReports.getZone, { account: 'OTHER-SG', zone: '3.18.198.in-addr.arpa' })).toMatchObject({ status: 404 });
  });

  test('space of other registries is named with the one that serves its zones', async () => {
    const outside = async () => (await tess(api.reverseDns.getSummary, { account })).data!.outside;
    expect(await outside()).toEqual([]);
    await portal.db.change(activity, change =>
      change.rows(sql`insert into delegation (kind, first, last, resource, size, type, source, portable, delegated_on, economy, account_name, registry)
        values ('ipv4', '193.0.0.0', '193.0.7.255', '193.0.0.0/21', 2048, 'allocated', 'delegated', true, '2001-01-01', 'NL', ${account}, 'ripencc')`),
    );
    expect(await outside()).toEqual([{ why: 'registry', registry: 'the RIPE NCC', prefixes: ['193.0.0.0/21'], count: 1 }]);
  });
});
