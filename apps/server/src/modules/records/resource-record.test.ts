import { api } from '@portal/contract/api';
import { DAY_MS, instantBefore, utcDay } from '@portal/contract/days';
import type { ResourceRecord } from '@portal/contract/records/records';
import { printResource } from '@portal/number-resources';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testContext } from '../../../test/context.ts';
import { testPortal, type TestPortal } from '../../../test/portal.ts';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';
import type { Module } from '../../platform/module.ts';
import { getRecord } from './resource-record.ts';

type Client = Awaited<ReturnType<TestPortal['as']>>;
let portal: TestPortal;
let tess: Client;
let olive: Client;
beforeAll(async () => {
  portal = await testPortal();
  [tess, olive] = (await Promise.all(['tess', 'olive'].map(name => portal.as(name)))) as [Client, Client];
});
afterAll(() => portal[Symbol.asyncDispose]());

const recordFor = async (who: Client, account: string, resource: string, on?: string): Promise<ResourceRecord> =>
  (await who(api.whoisRecords.getRecord, { account, query: { resource, ...(on && { on }) } })).data!;
const own = (resource: string, on?: string) => recordFor(tess, 'EXAMPLE-AU', resource, on);
const others = (resource: string) => recordFor(olive, 'OTHER-SG', resource);
const shown = ({ objects }: ResourceRecord, relation: string) =>
  objects.filter(each => each.relation === relation).map(each => `${each.class} ${each.shown}`);

describe('the record of a prefix', () => {
  test('shows its holder everything: delegation, surrounding and inner networks, objects, contacts, history', async () => {
    const record = await own('198.18.0.0/19');
    expect(record).toMatchObject({
      kind: 'ipv4',
      resource: '198.18.0.0/19',
      first: '198.18.0.0',
      last: '198.18.31.255',
      size: '8192',
      mayAssign: true,
    });
    expect(record.holdings).toMatchObject([{ relation: 'exact', own: true, status: 'active', statusText: 'ALLOCATED PORTABLE' }]);
    expect(shown(record, 'exact')).toEqual(['inetnum 198.18.0.0 - 198.18.31.255', 'route 198.18.0.0/19AS64500']);
    expect(shown(record, 'inside')).toEqual(
      expect.arrayContaining(['inetnum 198.18.12.0 - 198.18.13.255', 'route 198.18.8.0/24AS65536', 'domain 2.18.198.in-addr.arpa']),
    );
    expect(record.assignments.map(each => each.resource)).toContain('198.18.24.0/26');
    expect(record.contacts.map(each => each.attribute)).toEqual(expect.arrayContaining(['org', 'admin-c', 'tech-c', 'mnt-irt']));
    expect(record.history.map(each => each.what).join('\n')).toContain('inetnum 198.18.0.0 - 198.18.31.255, version 1');
  });

  test('shows, for a part of it, the surrounding networks first, the smallest last', async () => {
    const record = await own('198.18.24.0/26');
    expect(shown(record, 'around')).toEqual([
      'inetnum 198.18.0.0 - 198.18.31.255',
      'route 198.18.0.0/19AS64500',
      'inetnum 198.18.24.0 - 198.18.24.255',
    ]);
    expect(record.holdings).toMatchObject([{ relation: 'around', resource: '198.18.0.0/19' }]);
    expect(record.contacts.length).toBeGreaterThan(0);
  });

  test('shows others the public data, and nothing else of the ledger', async () => {
    const record = await others('198.18.0.0/19');
    expect(record.holdings).toMatchObject([{ own: false, status: null, source: null, holdUntil: null }]);
    expect(record.assignments).toEqual([]);
    expect(record.mayAssign).toBe(false);
    expect(record.history.every(({ by }) => by === 'The registry' || by === 'A contact of another account')).toBe(true);
    expect(record.marks.every(({ fix }) => fix === null || fix.link.startsWith('/resources/as-number'))).toBe(true);
    expect(shown(record, 'exact')).toContain('inetnum 198.18.0.0 - 198.18.31.255');
    const past = (await olive(api.whoisRecords.getRecord, { account: 'OTHER-SG', query: { resource: '198.18.0.0/19', on: '2026-01-01' } }))
      .data!;
    expect(past.holdings.every(({ holder }) => holder === '')).toBe(true);
  });

  test('as of a day shows the state then, including objects deleted since', async () => {
    const text = (third: number): string =>
      `route: 198.18.${third}.0/24\ndescr: Test\norigin: AS64500\nmnt-by: MAINT-AU-EXAMPLE\nsource: EXAMPLE\n`;
    const submit = (updates: object[]) => tess(api.whois.submitUpdates, { account: 'EXAMPLE-AU', body: { updates } } as never);
    await submit([{ text: text(30) }]);
    const today = utcDay(new Date());
    expect(shown(await own('198.18.30.0/24', today), 'exact')).toEqual(['route 198.18.30.0/24AS64500']);
    const before = utcDay(Date.now() - 40 * DAY_MS);
    expect(shown(await own('198.18.30.0/24', before), 'exact')).toEqual([]);
    expect((await own('198.18.0.0/19', before)).holdings).toHaveLength(1);
    expect((await own('198.18.0.0/19', '1990-01-01')).holdings).toEqual([]);
    await submit([{ operation: 'delete', text: text(30), reason: 'gone' }]);
    const after = await own('198.18.30.0/24');
    expect(shown(after, 'exact')).toEqual([]);
  });

  test('as of a day shows the version of that day, and later deletions, for its prefix and its AS number', async () => {
    const route = (words: string): string =>
      `route: 198.18.31.0/24\ndescr: ${words}\norigin: AS64500\nmnt-by: MAINT-AU-EXAMPLE\nsource: EXAMPLE\n`;
    const key = '198.18.31.0/24as64500';
    const submit = async (text: string) => {
      const { data } = await tess(api.whois.submitUpdates, { account: 'EXAMPLE-AU', body: { updates: [{ text }] } });
      expect(data!.outcomes.map(({ state }) => state)).toEqual(['ok']);
    };
    await submit(route('First'));
    await submit(route('Second'));
    await submit(`${route('Second')}delete: no longer announced\n`);
    const daysAgo = (days: number): string => instantBefore(Date.now(), days * DAY_MS);
    // Moves it into the past, one after the other.
    await portal.db.change({ action: 'test', summary: 'Let time pass', traceId: '0'.repeat(32) }, change =>
      change.rows(
        sql`update whois_journal set happened_at = (array[${daysAgo(40)}, ${daysAgo(20)}, ${daysAgo(5)}])[version]::timestamptz where key = ${key}`,
      ),
    );
    const on = (days: number) => utcDay(daysAgo(days));
    const routeOf = ({ objects }: ResourceRecord) => objects.filter(each => each.key === key).map(({ version, name }) => [version, name]);
    for (const resource of ['198.18.31.0/24', '198.18.0.0/19', 'AS64500']) {
      expect(routeOf(await own(resource, on(50)))).toEqual([]);
      expect(routeOf(await own(resource, on(30)))).toEqual([[1, 'First']]);
      expect(routeOf(await own(resource, on(10)))).toEqual([[2, 'Second']]);
      expect(routeOf(await own(resource, on(2)))).toEqual([]);
      expect(routeOf(await own(resource))).toEqual([]);
    }
  });

  test('marks problems, with the way to fix them', async () => {
    // Public, and its object was never made.
    await portal.db.change({ action: 'test', summary: 'Set the scene', traceId: '0'.repeat(32) }, change =>
      change.rows(sql`update assignment set visibility = 'public' where netname = 'VOICE'`),
    );
    const codes = (await own('198.18.0.0/19')).marks.map(({ code }) => code);
    expect(codes).toContain('assignment-without-object');
    // A route around the numbers says nothing good of them.
    expect((await own('198.18.30.0/24')).marks.map(({ code }) => code)).not.toContain('routes');
  });
});

test("contributions of another module appear on the page: a section, marks and changes, made from the page's data", async () => {
  const planned: Module = {
    name: 'planned-routes',
    records: [
      {
        id: 'planned',
        describe: async ({ resource, own, on, account, objects }) => ({
          section: {
            title: 'Planned routes',
            rows: [
              {
                label: 'ROA',
                text: `${printResource(resource)} of ${account.accountName}, ${objects.length > 0 ? 'with' : 'without'} objects`,
                link: '/resources/routes',
                state: { mark: own ? 'valid' : 'not-found', word: own ? 'Signed' : 'Not signed' },
                actions: [{ label: 'Sign', link: '/resources/routes?sign=yes' }],
              },
            ],
            more: false,
            link: null,
          },
          marks: [{ about: 'routing', mark: 'info', code: 'planned', message: on === null ? 'Planned today' : 'Planned then', fix: null }],
          history: [{ at: '2999-01-01T00:00:00Z', what: 'Signed a ROA', by: 'The registry', link: null }],
        }),
      },
      { id: 'silent', describe: async () => ({}) },
    ],
  };
  const context = { ...testContext(portal), modules: [planned] };
  const account: AdmittedAccount = {
    accountName: 'EXAMPLE-AU',
    accountStatus: 'open',
    accountType: 'member',
    nir: false,
    contactId: null,
    contactTypes: [],
    permissions: new Set(['resources-view']),
    asStaff: false,
  };
  const caller = { loginId: 'nobody', amr: [] };
  const now = await getRecord({ read: portal.db.read, account, caller, query: { resource: '198.18.0.0/19' }, registry: context });
  expect(now.sections).toMatchObject([
    { id: 'planned', rows: [{ text: '198.18.0.0/19 of EXAMPLE-AU, with objects', state: { word: 'Signed' } }] },
  ]);
  expect(now.marks.map(({ code }) => code)).toContain('planned');
  expect(now.history[0]!.what).toBe('Signed a ROA');
  const then = await getRecord({
    read: portal.db.read,
    account,
    caller,
    query: { resource: '198.18.0.0/19', on: '2026-01-01' },
    registry: context,
  });
  expect([then.sections.length, then.marks]).toEqual([1, []]);
  const others = await getRecord({
    read: portal.db.read,
    account: { ...account, accountName: 'OTHER-SG' },
    caller,
    query: { resource: '198.18.0.0/19' },
    registry: context,
  });
  expect(others.sections[0]!.rows[0]!.state!.word).toBe('Not signed');
});

describe('the record of an AS number', () => {
  test('shows the aut-num, its block, the routes it originates and the sets that name it', async () => {
    const record = await own('as64500');
    expect(record).toMatchObject({ kind: 'asn', resource: 'AS64500', mayAssign: false });
    expect(record.holdings).toMatchObject([{ own: true }]);
    const all = record.objects.map(each => `${each.class} ${each.shown}`);
    expect(all).toEqual(expect.arrayContaining(['aut-num AS64500', 'route 198.18.0.0/19AS64500', 'as-set AS64500:AS-CUSTOMERS']));
  });
});

test('text that isn’t a number resource is reported as such', async () => {
  const answer = await tess(api.whoisRecords.getRecord, { account: 'EXAMPLE-AU', query: { resource: 'example.net' } });
  expect(answer.status).toBe(400);
  expect(answer.errors![0]!.message).toContain('example.net');
});
