import { api } from '@portal/contract/api';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testPortal } from '../../../../test/portal.ts';
import { readConfig } from '../../../config.ts';

const account = 'EXAMPLE-AU';
const servers = ['ns1.example.net', 'ns2.example.net'];
const settings = { DNS_CHECK_FIRST: 'on', DNS_RESOLVERS: '127.0.0.1:9', DNS_TIMEOUT_MS: '100' };

test('a zone is delegated on its page only after a check of these servers and keys that found no errors, an hour ago at most', async () => {
  await using portal = await testPortal(undefined, settings);
  const tess = await portal.as('tess');
  const contacts = { adminC: 'NW9-EX', techC: 'NW9-EX', zoneC: 'NW9-EX', mntBy: 'MAINT-AU-EXAMPLE' };
  const zone = '9.18.198.in-addr.arpa';
  const [role] = ((await tess(api.whois.listObjects, { account, query: { class: 'role' } as never })).data as { rows: { shown: string }[] })
    .rows;
  const body = { ...contacts, adminC: role!.shown, techC: role!.shown, zoneC: role!.shown, zones: [zone], servers };
  const submit = async (more: object = {}) => (await tess(api.reverseDns.submitZones, { account, body: { ...body, ...more } })).errors?.[0];
  const check = async () => {
    const { data } = await tess(api.dnsChecking.startCheck, { body: { zone, servers: [...servers].reverse() } });
    await portal.runTasks();
    return data!.checkId;
  };
  const becomes = (checkId: string, grade: string, ago = 0) =>
    portal.db.change({ action: 'demo.check', summary: 'Checked', traceId: '0'.repeat(32) }, change =>
      change.rows(
        sql`update rdns_check set grade = ${grade}, asked_at = now() - make_interval(mins => ${ago}) where check_id = ${checkId}::uuid`,
      ),
    );
  expect((await tess(api.reverseDns.previewZones, { account, body })).data).toMatchObject({ problems: [], checkMinutes: 60 });
  expect(await submit()).toMatchObject({ code: 'DNS_CHECK_MISSING', message: expect.stringContaining(zone) as string });
  // The resolver of this test never answers.
  const failed = await check();
  expect(await submit()).toMatchObject({ code: 'DNS_CHECK_FAILED', message: expect.stringContaining(zone) as string });
  // The last check counts, not the best.
  const passed = await check();
  await becomes(passed, 'warning', 2);
  await becomes(failed, 'error', 1);
  expect(await submit()).toMatchObject({ code: 'DNS_CHECK_FAILED' });
  await becomes(failed, 'error', 90);
  await becomes(passed, 'warning', 61);
  expect(await submit()).toMatchObject({ code: 'DNS_CHECK_MISSING' });
  await becomes(passed, 'warning', 2);
  expect(await submit({ servers: ['ns1.example.net', 'ns3.example.net'] })).toMatchObject({ code: 'DNS_CHECK_MISSING' });
  expect(await submit({ keys: `${zone}. DS 12345 13 2 ${'AB'.repeat(32)}` })).toMatchObject({ code: 'DNS_CHECK_MISSING' });
  expect(await submit()).toBeUndefined();
  // Changing contacts and ending delegations needs no check.
  await becomes(passed, 'warning', 100);
  expect(await submit({ descr: 'Another description' })).toBeUndefined();
  expect(await submit({ operation: 'remove' })).toBeUndefined();
});

test('the registry can do without checks, like the demo registry, whose name servers are made up', async () => {
  await using portal = await testPortal();
  expect(portal.config.mustCheckDns).toBe(false);
  expect(readConfig({ DEMO: 'off', SECRET_KEY: 'a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6' }).mustCheckDns).toBe(true);
  expect(readConfig({ DEMO: 'off', DNS_CHECK_FIRST: 'off', SECRET_KEY: 'a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6' }).mustCheckDns).toBe(false);
});
