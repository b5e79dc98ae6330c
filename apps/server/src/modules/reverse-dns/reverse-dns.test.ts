import { api } from '@portal/contract/api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';

type Client = Awaited<ReturnType<TestPortal['as']>>;
const account = 'EXAMPLE-AU';
const key = '257 3 13 mdsswUyr3DPW132mOi8V9xESWE8jTo0dxCjjnopKl+GqJxpVXckHAeF+KkxLbxILfDLUT0rAK9iUzy1L53eKGQ==';

describe.each(kindsForRules)('reverse zones of an account on %s', kind => {
  let portal: TestPortal;
  let tess: Client;
  beforeAll(async () => {
    portal = await testPortal(kind);
    tess = await portal.as('tess');
  });
  afterAll(() => portal[Symbol.asyncDispose]());
  const summary = async () => (await tess(api.reverseDns.getSummary, { account })).data!;
  const plan = async (prefix: string) => (await tess(api.reverseDns.planZones, { account, query: { prefix } })).data!;
  const body = (zones: string[], more: object = {}) => ({
    zones,
    servers: ['ns1.example.net', 'ns2.example.net'],
    adminC: 'NW9-EX',
    techC: 'NW9-EX',
    zoneC: 'NW9-EX',
    mntBy: 'MAINT-AU-EXAMPLE',
    ...more,
  });
  const contact = async () => {
    const { rows } = (await tess(api.whois.listObjects, { account, query: { class: 'role' } as never })).data as {
      rows: { shown: string }[];
    };
    return rows[0]!.shown;
  };

  test('are counted from the holding: a /19 needs 32 zones, some of which are delegated', async () => {
    const { blocks, counts } = await summary();
    const block = blocks.find(({ prefix }) => prefix === '198.18.0.0/19')!;
    expect(block).toMatchObject({ needed: 32, delegated: 2, ending: '18.198.in-addr.arpa' });
    expect(block.cells.filter(({ state }) => state !== 'missing').map(({ label }) => label)).toEqual(['2', '3']);
    // Every needed zone is delegated or a gap.
    const partly = blocks.flatMap(({ cells }) => cells).filter(({ state }) => state === 'partly').length;
    expect(counts.needed).toBe(counts.covered + counts.missing + partly);
    expect(block).toMatchObject({ covered: 2 });
    // The values of most zones are suggested for the next one.
    const { contacts } = await summary();
    const { data: object } = await tess(api.whois.getObject, {
      account,
      query: { class: 'domain', key: '2.18.198.in-addr.arpa' } as never,
    });
    const text = (object as unknown as { text: string }).text;
    expect(contacts).toEqual({
      adminC: /^admin-c: +(.*)$/m.exec(text)![1],
      techC: /^tech-c: +(.*)$/m.exec(text)![1],
      zoneC: /^zone-c: +(.*)$/m.exec(text)![1],
    });
    const { data } = await tess(api.reverseDns.listZones, { account, query: { q: '198.18.2.77' } });
    expect(data!.rows).toMatchObject([
      { zone: '2.18.198.in-addr.arpa', servers: ['ns1.example.net', 'ns2.example.net'], state: 'unchecked' },
    ]);
  });

  test('are listed a page at a time, those with a delegation of their own', async () => {
    const list = async (query: object) => (await tess(api.reverseDns.listZones, { account, query })).data!;
    const all = await list({ limit: 500 });
    const delegated = await list({ delegated: 'true', limit: 500 });
    expect(delegated.rows).toEqual(all.rows.filter(({ version }) => version !== null));
    expect((await list({ delegated: 'false', limit: 500 })).total).toBe(all.total - delegated.total);
    const second = await list({ delegated: 'true', offset: 1, limit: 1 });
    expect([second.total, second.rows]).toEqual([delegated.total, [delegated.rows[1]]]);
  });

  test.each([
    ['198.18.4.0/22', 4],
    ['5.18.198.in-addr.arpa.', 1],
    ['198.18.4.0 - 198.18.5.255', 2],
    ['2001:db8::/35', 2],
  ])('%s is planned as %i zones', async (prefix, zones) => {
    expect((await plan(prefix)).rows).toHaveLength(zones);
  });

  test.each([
    ['198.18.4.0/25', /RFC 2317/],
    ['8.8.8.0/24', /doesn’t hold/],
    ['198.18.4.1/22', /host bits/],
    ['AS64500', /AS numbers/],
    ['nonsense', /./],
  ])('the plan of %s says what is wrong', async (prefix, problem) => {
    expect(await plan(prefix)).toMatchObject({ rows: [], problem: expect.stringMatching(problem) });
  });

  test('a partly held prefix is named, and suggestions are from the same space or kind', async () => {
    expect(await plan('198.18.64.0/22')).toMatchObject({
      problem: 'EXAMPLE-AU holds only 198.18.64.0/23 and 198.18.66.0/24 of 198.18.64.0/22. Enter one of them',
      suggestion: '198.18.64.0/23',
    });
    expect((await plan('3ffe::/16')).suggestion).toMatch(/:/);
    expect((await plan('::/0')).suggestion).toMatch(/:/);
    // The suggestion is offered beside the sentence, not repeated in it.
    const { problem, suggestion } = await plan('198.18.4.1/22');
    expect([problem!.includes('did you mean'), suggestion]).toEqual([false, '198.18.4.0/22']);
  });

  test('a /22 is delegated in one request with a DS of its own for each zone, through whois', async () => {
    const role = await contact();
    const zones = (await plan('198.18.4.0/22')).rows.map(({ zone }) => zone);
    const request = body(zones, { keys: key, adminC: role, techC: role, zoneC: role });
    const { data: preview } = await tess(api.reverseDns.previewZones, { account, body: request });
    expect(preview!.problems).toEqual([]);
    expect(preview!.zones.map(({ outcome }) => [outcome.state, outcome.done])).toEqual(zones.map(() => ['ok', 'create']));
    expect((await plan('198.18.4.0/22')).rows.every(({ state }) => state === 'missing')).toBe(true);
    const { data, errors } = await tess(api.reverseDns.submitZones, { account, body: request });
    expect(errors).toBeUndefined();
    const digests = data!.zones.map(({ ds }) => ds[0]!);
    expect(new Set(digests).size).toBe(4);
    expect(new Set(digests.map(each => each.split(' ')[0])).size).toBe(1);
    const { rows } = await plan('198.18.4.0/22');
    expect(rows).toMatchObject(zones.map(zone => ({ zone, dnssec: 'signed', version: 1 })));
    const [object] = (await tess(api.whois.getObject, { account, query: { class: 'domain', key: zones[0]! } as never })).data ? [true] : [];
    expect(object).toBe(true);
    // DNSSEC is disabled only explicitly: keys that are left out, or are for another zone, stay.
    const servers = ['ns3.example.net', 'ns4.example.net'];
    const dsAfter = async (keys: { keys?: string }, of = [zones[0]!]) =>
      (await tess(api.reverseDns.submitZones, { account, body: { zones: of, servers, ...keys } })).data!.zones.map(({ ds }) => ds);
    const other = '64431 13 2 3D1B19A83E95A0E3B5EB5C0B8F1E9F4D9F1C5B7A9E8D7C6B5A49382716051423';
    expect(await dsAfter({})).toEqual([[digests[0]]]);
    expect(await dsAfter({ keys: `${zones[1]!}. DS ${other}` }, zones.slice(0, 2))).toEqual([[digests[0]], [other]]);
    const file = { account, body: { text: `${zones[0]!}. NS ns5.example.net.\n${zones[0]!}. NS ns6.example.net.\n` } };
    expect((await tess(api.reverseZoneFiles.readZoneFile, file)).data).toMatchObject({
      problems: [{ severity: 'warning', message: expect.stringMatching(/keeps its DS records/) }],
    });
    await tess(api.reverseZoneFiles.uploadZoneFile, file);
    await portal.runTasks();
    const [uploaded, ...others] = (await plan('198.18.4.0/22')).rows;
    expect(uploaded).toMatchObject({ servers: ['ns5.example.net', 'ns6.example.net'], dnssec: 'signed' });
    expect(others.map(({ dnssec }) => dnssec)).toEqual(others.map(() => 'signed'));
    expect(await dsAfter({ keys: '' })).toEqual([[]]);
    expect((await plan('198.18.4.0/22')).rows[0]).toMatchObject({ servers, dnssec: 'none' });
    const { data: gone } = await tess(api.reverseDns.submitZones, {
      account,
      body: { zones: [zones[3]!], operation: 'remove', reason: 'No longer used' },
    });
    expect(gone!.zones[0]!.outcome).toMatchObject({ state: 'ok', done: 'delete' });
  });

  test.each([
    ['one server', { servers: ['ns1.example.net'] }, /at least two/],
    ['an address as server', { servers: ['192.0.2.1', 'ns2.example.net'] }, /is an address/],
    ['an underscore', { servers: ['ns_1.example.net', 'ns2.example.net'] }, /underscore/],
    ['an internationalised name', { servers: ['ns1.bücher.example', 'ns2.example.net'] }, /xn--/],
    [
      'a zone-signing key',
      { keys: '256 3 13 mdsswUyr3DPW132mOi8V9xESWE8jTo0dxCjjnopKl+GqJxpVXckHAeF+KkxLbxILfDLUT0rAK9iUzy1L53eKGQ==' },
      /zone-signing/,
    ],
    ['an old algorithm', { keys: '64431 3 2 3D1B19A83E95A0E3B5EB5C0B8F1E9F4D9F1C5B7A9E8D7C6B5A49382716051423' }, /must not be used/],
    ['garbage as key', { keys: 'hello world' }, /no DS or DNSKEY/],
  ])('%s is refused with the field', async (_, more, problem) => {
    const request = body(['9.18.198.in-addr.arpa'], more);
    const { data } = await tess(api.reverseDns.previewZones, { account, body: request });
    expect(data!.zones).toEqual([]);
    expect(data!.problems.map(({ message }) => message).join()).toMatch(problem);
    expect((await tess(api.reverseDns.submitZones, { account, body: request })).errors![0]!.code).toBe('INVALID_REQUEST');
  });

  test.each([
    ['off the boundary', '4-7.18.198.in-addr.arpa', /RFC 2317/],
    ['of one address', '1.9.18.198.in-addr.arpa', /single address/],
    ['of another holder', '100.51.198.in-addr.arpa', /doesn’t hold/],
    ['that is none', 'example.com', /not a reverse zone/],
  ])('a zone %s is refused', async (_, zone, problem) => {
    const { data } = await tess(api.reverseDns.previewZones, { account, body: body([zone]) });
    expect(data!.problems[0]!.message).toMatch(problem);
  });

  test('a zone under an existing one is refused by whois, with its name', async () => {
    const role = await contact();
    const { data } = await tess(api.reverseDns.previewZones, {
      account,
      body: body(['1.8.b.d.0.1.0.0.2.ip6.arpa'], { adminC: role, techC: role, zoneC: role }),
    });
    expect(data!.zones[0]!.outcome.problems[0]).toMatchObject({ code: 'domain-overlaps' });
  });

  test('a contact without the permission sees nothing, and another account looks non-existent', async () => {
    const bill = await portal.as('bill');
    expect((await bill(api.reverseDns.getSummary, { account })).errors![0]!.code).toBe('NO_PERMISSION');
    expect((await bill(api.reverseDns.submitZones, { account, body: body(['9.18.198.in-addr.arpa']) })).errors![0]!.code).toBe(
      'NO_PERMISSION',
    );
    const olive = await portal.as('olive');
    expect((await olive(api.reverseDns.getSummary, { account })).errors![0]!.code).toBe('ACCOUNT_NOT_FOUND');
    const once = await portal.as('tess', { mfa: false });
    expect((await once(api.reverseDns.submitZones, { account, body: body(['9.18.198.in-addr.arpa']) })).errors![0]!.code).toBe(
      'MFA_REQUIRED',
    );
  });
});
