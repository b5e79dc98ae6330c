import { api } from '@portal/contract/api';
import { maxChecksAMinute } from '@portal/contract/reverse-dns/checks';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { testPortal } from '../../../../test/portal.ts';

/** The resolver of these tests never answers. */
const settings = { DNS_RESOLVERS: '127.0.0.1:9', DNS_TIMEOUT_MS: '100', DNS_PORT: '9' };
const line = { action: 'test', summary: 'Made checks older', traceId: '0'.repeat(32) };

describe('a check of a reverse zone', () => {
  test('can be opened by its link by anyone signed in for a week, lists changes since the previous one, and is in its author’s history', async () => {
    await using portal = await testPortal(undefined, settings);
    const tess = await portal.as('tess');
    const body = { zone: '198.18.2.77', servers: ['ns1.example.net', 'ns2.example.net'] };
    const check = async () => {
      const { data } = await tess(api.dnsChecking.startCheck, { body });
      await portal.runTasks();
      return data!;
    };
    const first = await check();
    expect(first.zone).toBe('2.18.198.in-addr.arpa');
    await portal.db.change(line, change =>
      change.rows(sql`update rdns_check set asked_at = asked_at - interval '1 hour',
        report = jsonb_set(report, '{findings}', (select jsonb_agg(case when f ->> 'check' = 'twoServers' then f || '{"state": "failed"}' else f end) from jsonb_array_elements(report -> 'findings') f))`),
    );
    const second = await check();
    // Another account's contact got the link.
    const olive = await portal.as('olive');
    const { data } = await olive(api.dnsChecking.getCheck, { checkId: second.checkId });
    expect(data).toMatchObject({
      grade: 'error',
      undelegated: true,
      since: { checkId: first.checkId, fixed: ['At least two name servers'], appeared: [] },
    });
    expect(data!.report!.findings.find(({ check }) => check === 'resolves')!.detail).toMatch(/^ns1\.example\.net couldn’t be looked up \(/);
    expect((await tess(api.dnsChecking.listChecks, { query: {} })).data!.rows.map(({ checkId }) => checkId)).toEqual([
      second.checkId,
      first.checkId,
    ]);
    expect((await olive(api.dnsChecking.listChecks, { query: {} })).data!.rows).toEqual([]);
    await portal.db.change(line, change => change.rows(sql`update rdns_check set asked_at = asked_at - interval '8 days'`));
    expect((await tess(api.dnsChecking.getCheck, { checkId: second.checkId })).errors![0]!.code).toBe('NOT_FOUND');
    for (const checkId of ['x', crypto.randomUUID()])
      expect((await tess(api.dnsChecking.getCheck, { checkId })).errors![0]!.code).toBe('NOT_FOUND');
  });

  test('doesn’t query private addresses unless the registry is a lab, and lists them', async () => {
    await using portal = await testPortal(undefined, settings);
    const { profile } = portal.context;
    const inside = ['2.18.198.in-addr.arpa', '0.2.ip6.arpa'];
    const targets = ['10.0.0.53', '127.0.0.1', '169.254.169.254', '192.168.1.1', '224.0.0.1'];
    const tess = await portal.as('tess');
    const body = { zone: inside[0]!, servers: targets.map((address, place) => `ns${place}.${inside[0]!} ${address}`) };
    const demo = portal.config.demoMode;
    portal.config.demoMode = false;
    try {
      expect(profile.dnsLab).toBe(false);
      const { data } = await tess(api.dnsChecking.startCheck, { body });
      await portal.runTasks();
      const { report } = (await tess(api.dnsChecking.getCheck, { checkId: data!.checkId })).data!;
      const hidden = report!.findings.filter(({ check, state }) => check === 'publicAddress' && state === 'failed');
      expect(hidden.map(({ detail }) => detail.split(' ')[0])).toEqual(targets);
      expect(report!.servers).toEqual([]);
      expect(report!.raw.filter(({ server }) => targets.some(each => server.includes(each)))).toEqual([]);
    } finally {
      portal.config.demoMode = demo;
    }
  });

  test('is limited per minute for one person, not for all together', async () => {
    await using portal = await testPortal(undefined, settings);
    const [tess, olive] = [await portal.as('tess'), await portal.as('olive')];
    const start = (call: typeof tess) => call(api.dnsChecking.startCheck, { body: { zone: '2.18.198.in-addr.arpa' } });
    for (let n = 0; n < maxChecksAMinute; n++) expect((await start(tess)).status).toBe(200);
    expect((await start(tess)).errors![0]).toMatchObject({ code: 'TOO_MANY_CHECKS' });
    expect((await start(olive)).status).toBe(200);
  });

  test.each([
    ['198.18.2.0/25', '2.18.198.in-addr.arpa'],
    ['64.2.18.198.in-addr.arpa.', '2.18.198.in-addr.arpa'],
    ['2001:db8::1', '8.b.d.0.1.0.0.2.ip6.arpa'],
  ])('%s means the zone around it', async (zone, wanted) => {
    await using portal = await testPortal(undefined, settings);
    const tess = await portal.as('tess');
    expect((await tess(api.dnsChecking.startCheck, { body: { zone } })).data).toMatchObject({ zone: wanted });
  });

  test.each([
    ['example.com', /./],
    ['AS64500', /no reverse zone/],
    ['_dmarc.2.18.198.in-addr.arpa', /./],
    ['bücher.in-addr.arpa', /./],
    ['300.18.198.in-addr.arpa', /./],
    ['0-63.2.18.198.in-addr.arpa', /./],
  ])('%s is refused with what is wrong', async (zone, message) => {
    await using portal = await testPortal(undefined, settings);
    const tess = await portal.as('tess');
    const { errors } = await tess(api.dnsChecking.startCheck, { body: { zone } });
    expect(errors![0]).toMatchObject({ code: 'INVALID_REQUEST', field: 'zone', message: expect.stringMatching(message) as string });
  });
});

test('of two people who change one zone at the same time one wins, and the other gets a refusal', async () => {
  await using portal = await testPortal();
  const account = 'EXAMPLE-AU';
  const zone = '2.18.198.in-addr.arpa';
  const send = async (person: string, servers: string[]) =>
    (await portal.as(person))(api.reverseDns.submitZones, { account, body: { zones: [zone], servers, version: 1 } });
  const answers = await Promise.all([
    send('tess', ['ns3.example.net', 'ns4.example.net']),
    send('corin', ['ns5.example.net', 'ns6.example.net']),
  ]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412]);
  expect(answers.find(({ data }) => data)!.data!.zones[0]!.outcome.state).toBe('ok');
  expect(answers.find(({ errors }) => errors)!.errors![0]!.message).toMatch(/changed/);
  const [row] = (await (await portal.as('tess'))(api.reverseDns.listZones, { account, query: { q: zone } })).data!.rows;
  expect(row!.version).toBe(2);
});
