import { api } from '@portal/contract/api';
import type { RouteChanges } from '@portal/contract/routes/routes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kindsForRules, type TestPortal, testPortal } from '../../../test/portal.ts';
import { readAnnouncementLines } from './announcement-lines.ts';

type Client = Awaited<ReturnType<TestPortal['as']>>;
const account = 'EXAMPLE-AU';

describe.each(kindsForRules)('an own BGP table on %s', kind => {
  let portal: TestPortal;
  let corin: Client;
  beforeAll(async () => {
    portal = await testPortal(kind);
    corin = await portal.as('corin');
  });
  afterAll(() => portal[Symbol.asyncDispose]());

  const upload = (text: string, fileName = 'rib.txt') => corin(api.ownBgpTables.uploadTable, { account, body: { fileName, text } });
  const seenBy = async (who: Client, of: string) =>
    (await who(api.routes.listRoutes, { account: of, query: { limit: 500 } }))
      .data!.rows.filter(({ seenBy: peers }) => peers !== null)
      .map(({ prefix, asn }) => `${prefix} AS${asn}`);

  test('is private to the account that uploaded it, and only lines inside its space are stored', async () => {
    const olive = await portal.as('olive');
    const { data } = await upload(
      '64500\t198.18.5.0/24\t3\n198.18.6.0/24,AS64500\n2001:db8:5::/48 AS64500\n198.51.100.0/25 AS64501\n{64500,64501}\t198.18.7.0/24\t9\n',
    );
    expect(data).toMatchObject({ kept: 3, outside: 1, sets: 1 });
    expect(data!.rows.filter(({ source }) => source === 'own')).toMatchObject([
      { family: 'ipv4', fileName: 'rib.txt', announcements: 2, uploadedBy: 'Corin Achterberg' },
      { family: 'ipv6', announcements: 1 },
    ]);
    expect(await seenBy(corin, account)).toEqual(expect.arrayContaining(['198.18.5.0/24 AS64500', '2001:db8:5::/48 AS64500']));

    // Everything visible to others: their lists, their tables, and public pages of prefixes and AS numbers.
    expect((await olive(api.ownBgpTables.listTables, { account: 'OTHER-SG' })).data!.rows.filter(({ source }) => source === 'own')).toEqual(
      [],
    );
    expect((await olive(api.ownBgpTables.listTables, { account })).status).toBe(404);
    expect((await seenBy(olive, 'OTHER-SG')).join()).not.toContain('198.51.100.0/25');
    for (const resource of ['198.18.5.0/24', 'AS64500'])
      expect(JSON.stringify((await olive(api.whoisRecords.getRecord, { account: 'OTHER-SG', query: { resource } })).data!)).not.toContain(
        '198.18.5.0/24 AS64500',
      );

    // An upload replaces the previous one completely, and it can be deleted.
    expect((await upload('198.18.9.0/24 AS64500')).data!.rows.filter(({ source }) => source === 'own')).toHaveLength(1);
    expect(await seenBy(corin, account)).not.toContain('198.18.5.0/24 AS64500');
    expect((await corin(api.ownBgpTables.removeTable, { account })).data!.rows.filter(({ source }) => source === 'own')).toEqual([]);
    expect((await corin(api.ownBgpTables.removeTable, { account })).status).toBe(404);
  });

  test('counts in the effect shown before a ROA is saved', async () => {
    await corin(api.rpki.enable, { account });
    await upload('198.18.31.0/24 AS64500');
    const add = [{ prefix: '198.18.0.0/19', asn: 'AS65536' }] as RouteChanges['add'];
    const check = await corin(api.routes.checkRoutes, { account, body: { add, change: [], remove: [], adopt: [], text: '' } });
    expect(check.data!.effect.announcements).toMatchObject([{ prefix: '198.18.31.0/24', before: 'not-found', after: 'invalid-asn' }]);
  });

  test('with wrong lines is refused with each of them, and changes nothing', async () => {
    const before = (await corin(api.ownBgpTables.listTables, { account })).data!;
    const refused = await upload('198.18.1.0/24 AS64500\n198.18.1.1/24 AS64500\nhello\n198.18.2.0/24\n198.18.3.0/24 AS4294967296\n');
    expect(refused.errors!.map(({ field }) => field)).toEqual(['text.2', 'text.3', 'text.4', 'text.5']);
    expect((await upload('8.8.8.0/24 AS64500')).errors).toMatchObject([
      { field: 'text', message: expect.stringContaining('inside your delegations') },
    ]);
    expect((await upload('# nothing')).errors).toMatchObject([{ field: 'text' }]);
    const later = { fileName: '', text: '198.18.1.0/24 AS64500', collectedAt: '2099-01-01T00:00:00.000Z' };
    expect((await corin(api.ownBgpTables.uploadTable, { account, body: later })).errors).toMatchObject([{ field: 'collectedAt' }]);
    expect((await corin(api.ownBgpTables.listTables, { account })).data!.rows).toEqual(before.rows);
    const bill = await portal.as('bill');
    expect((await bill(api.ownBgpTables.uploadTable, { account, body: { fileName: '', text: 'x' } })).status).toBe(403);
  });
});

test('announcements are read from dumps, CSV files and plain lines', () => {
  expect(
    readAnnouncementLines('% RIS\r\n64500\t192.0.2.0/24\t300\r\n"192.0.2.0/25","AS64500"\n2001:db8::/32;64500;2\n\n').announced,
  ).toEqual([
    { prefix: '192.0.2.0/24', asn: 64500, peers: 300 },
    { prefix: '192.0.2.0/25', asn: 64500, peers: 1 },
    { prefix: '2001:db8::/32', asn: 64500, peers: 2 },
  ]);
  expect(readAnnouncementLines('prefix,asn\n192.0.2.0/24,64500').problems).toEqual([]);
});
