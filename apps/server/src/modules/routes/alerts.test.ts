import { api } from '@portal/contract/api';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kindsForRules, testPortal, type TestPortal } from '../../../test/portal.ts';
import { publishAll } from '../rpki/repository/publisher.ts';
import { storeBgpTable } from '../bgp-tables/index.ts';
import { watchAnnouncements } from './watch-announcements.ts';

const account = 'EXAMPLE-AU';
const activity = { action: 'test', summary: 'Imported a table', traceId: '0'.repeat(32) };

describe.each(kindsForRules)('alerts and suggestions on %s', kind => {
  let portal: TestPortal;
  let corin: Awaited<ReturnType<TestPortal['as']>>;
  const see = (announced: readonly (readonly [prefix: string, asn: number])[]) =>
    portal.db.change(activity, change =>
      storeBgpTable(change, {
        family: 4,
        fileName: 'test',
        collectedAt: '2026-11-22T08:00:00Z',
        announced: announced.map(([prefix, asn]) => ({ prefix, asn, peers: 100 })),
        shrinks: true,
      }),
    );
  const roas = async (add: { prefix: string; asn: string; maxLength?: number }[]) => {
    const { data } = await corin(api.rpki.listRoas, { account, query: {} });
    expect((await corin(api.rpki.changeRoas, { account, body: { version: data!.version, add, remove: [] } })).errors).toBeUndefined();
  };
  const watch = () => watchAnnouncements(portal.context);
  const alerts = async () =>
    (await corin(api.routeAlerts.listAlerts, { account })).data!.rows.map(
      ({ prefix, asn, validity, muted }) => `${prefix} ${asn} ${validity}${muted ? ' muted' : ''}`,
    );
  const notices = () =>
    portal.db.read.rows<{ title: string; digest: string }>(
      sql`select distinct on (title) title, digest from notification where topic = 'routes.alerts' order by title, notification_id`,
    );

  beforeAll(async () => {
    portal = await testPortal(kind);
    corin = await portal.as('corin');
    await corin(api.rpki.enable, { account });
    await roas([{ prefix: '198.18.0.0/19', asn: 'AS64500' }]);
    await publishAll(portal.context);
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  test('people are notified once of announcements that the repository makes invalid, in a digest unless they choose otherwise', async () => {
    await watch();
    expect(await alerts()).toEqual([]);
    await see([
      ['198.18.0.0/19', 64500],
      ['198.18.8.0/24', 65536],
      ['198.18.64.0/24', 64500],
    ]);
    await watch();
    expect(await alerts()).toEqual(['198.18.8.0/24 65536 invalid-asn', '198.18.64.0/24 64500 not-found']);
    expect(await notices()).toEqual([{ title: '1 announcement of EXAMPLE-AU is invalid', digest: 'daily' }]);
    const before = await portal.db.read.rows(sql`select from notification`);
    await watch();
    expect(await portal.db.read.rows(sql`select from notification`)).toHaveLength(before.length);
  });

  test('unpublished changes have no effect; published ones do', async () => {
    await roas([{ prefix: '198.18.8.0/24', asn: 'AS65536' }]);
    await watch();
    expect(await alerts()).toContain('198.18.8.0/24 65536 invalid-asn');
    await publishAll(portal.context);
    expect(await alerts(), 'the list needs no run of the watcher to see what is repaired').toEqual(['198.18.64.0/24 64500 not-found']);
    await watch();
    expect(await alerts()).toEqual(['198.18.64.0/24 64500 not-found']);
  });

  test('no one is notified about an account whose publication is pending, unless it is late', async () => {
    await see([['198.18.24.0/24', 64501]]);
    await roas([{ prefix: '198.18.24.0/24', asn: 'AS64501' }]);
    await watch();
    expect(await alerts()).not.toContain('198.18.24.0/24 64501 invalid-asn');
    await portal.db.change(activity, change => change.rows(sql`update rpki_due set noticed_at = noticed_at - interval '11 minutes'`));
    await watch();
    expect(await alerts()).toContain('198.18.24.0/24 64501 invalid-asn');
    await publishAll(portal.context);
    expect(await alerts()).toEqual([]);
    const { data } = await corin(api.rpki.listRoas, { account, query: {} });
    const remove = data!.rows.filter(({ prefix }) => prefix === '198.18.24.0/24').map(({ roaId }) => roaId);
    await corin(api.rpki.changeRoas, { account, body: { version: data!.version, add: [], remove, invalidating: 1 } });
    await publishAll(portal.context);
    await see([]);
    await watch();
  });

  test('a muted announcement is shown without a notification, which is sent once it is unmuted', async () => {
    const announcement = { prefix: '198.18.65.0/24', asn: 64500 };
    const bill = await portal.as('bill');
    expect((await bill(api.routeAlerts.mute, { account, body: { ...announcement, reason: '' } })).errors![0]!.code).toBe('NO_PERMISSION');
    const elsewhere = await corin(api.routeAlerts.mute, { account, body: { prefix: '198.51.100.0/24', asn: 1, reason: '' } });
    expect(elsewhere.errors).toMatchObject([{ code: 'INVALID_REQUEST', field: 'prefix' }]);
    expect((await corin(api.routeAlerts.mute, { account, body: { ...announcement, reason: 'A test' } })).errors).toBeUndefined();
    await see([['198.18.65.0/24', 64500]]);
    await watch();
    expect(await alerts()).toEqual(['198.18.65.0/24 64500 not-found muted']);
    const titles = (await notices()).map(({ title }) => title);
    expect(titles).not.toContain('1 announcement of EXAMPLE-AU without a ROA');
    await corin(api.routeAlerts.unmute, { account, body: announcement });
    expect((await corin(api.routeAlerts.unmute, { account, body: announcement })).errors![0]!.code).toBe('NOT_FOUND');
    await watch();
    expect((await notices()).map(({ title }) => title)).toContain('1 announcement of EXAMPLE-AU without a ROA');
  });

  test('a suggestion can be applied with one change, and then disappears', async () => {
    await see([
      ['198.18.0.0/19', 64500],
      ['198.18.66.0/24', 64500],
    ]);
    const list = async () => (await corin(api.routeSuggestions.listSuggestions, { account })).data!.rows;
    const [first, second] = await list();
    expect(first).toMatchObject({ kind: 'add', prefix: '198.18.66.0/24', asn: 64500, maxLength: 24, peers: 100 });
    expect(second).toMatchObject({ kind: 'stale', prefix: '198.18.8.0/24', changes: null });
    const { data: now } = await corin(api.routes.listRoutes, { account, query: {} });
    expect((await corin(api.routes.saveRoutes, { account, body: { ...first!.changes!, version: now!.version } })).errors).toBeUndefined();
    expect((await list()).map(({ kind: what, prefix }) => `${what} ${prefix}`)).toEqual(['stale 198.18.8.0/24']);
  });
});
