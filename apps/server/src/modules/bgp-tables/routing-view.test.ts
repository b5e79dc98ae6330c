import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testPortal } from '../../../test/portal.ts';
import { liveAnnouncements, routingView } from './routing-view.ts';

const line = { action: 'test', summary: 'Imported tables', traceId: '0'.repeat(32) };

test('a view of one address family is as old as the table of that family, and a view of both as the older one', async () => {
  await using portal = await testPortal();
  const [ipv4, ipv6] = ['2026-11-24T18:11:00.000Z', '2026-11-24T02:21:00.000Z'];
  await portal.db.change(line, async change => {
    await change.rows(sql`update bgp_table set state = 'replaced' where state = 'current'`);
    for (const [family, collectedAt] of [
      [4, ipv4],
      [6, ipv6],
    ] as const)
      await change.rows(sql`insert into bgp_table (family, file_name, collected_at, imported_at, peers, announcements, state)
        values (${family}, 'table', ${collectedAt}::timestamptz, now(), 1, 0, 'current')`);
  });
  const seen = async (...prefixes: string[]) => (await routingView(portal.db.read, null, prefixes)).collectedAt;
  expect(await seen('198.18.0.0/15')).toBe(ipv4);
  expect(await seen('2001:db8::/32')).toBe(ipv6);
  expect(await seen('198.18.0.0/15', '2001:db8::/32')).toBe(ipv6);
});

test('announcements of several pages come once each, whatever the blocks asked for, and those of two tables with the most peers of both', async () => {
  await using portal = await testPortal();
  await portal.db.change(line, async change => {
    await change.rows(sql`update bgp_table set state = 'replaced' where state = 'current'`);
    for (const [account, peers, every] of [
      [null, 5, 1],
      ['EXAMPLE-AU', 9, 3],
    ] as const)
      await change.rows(sql`with made as (insert into bgp_table (family, account_name, uploaded_by, file_name, collected_at, imported_at, peers, announcements, state)
          values (4, ${account}, ${account}, 'table', now(), now(), 1, 0, 'current') returning bgp_table_id)
        insert into bgp_announcement (bgp_table_id, prefix, asn, peers)
        select bgp_table_id, network(set_masklen('10.0.0.0'::inet + n * 16384, 18))::cidr, 64500 + n % 2, ${peers}::int from made, generate_series(0, 3999, ${every}::int) n
        union all select bgp_table_id, network(set_masklen('10.0.0.0'::inet + n * 16384, 16))::cidr, 64510, ${peers}::int from made, generate_series(0, 3999, 12) n`);
  });
  const all = await portal.db.read.rows<{ prefix: string; asn: number; peers: number; within: string[] }>(
    sql`select a.prefix::text, asn, max(a.peers)::int as peers, array(select w::text from unnest('{10.0.0.0/9,10.1.0.0/16,10.128.0.0/10,10.200.0.0/14,10.204.64.0/18}'::cidr[]) w
      where w >>= a.prefix) as within from bgp_announcement a join bgp_table using (bgp_table_id) where state = 'current' group by a.prefix, asn order by a.prefix, asn`,
  );
  for (const blocks of [
    ['10.0.0.0/9', '10.1.0.0/16', '10.128.0.0/10', '10.200.0.0/14', '10.204.64.0/18'],
    ['10.204.64.0/18', '10.0.0.0/9'],
    ['10.200.0.0/14'],
  ]) {
    const expected = all.filter(({ within }) => within.some(each => blocks.includes(each)));
    expect(expected.length).toBeGreaterThan(10);
    const { announcements } = await routingView(portal.db.read, 'EXAMPLE-AU', blocks);
    expect(announcements).toEqual(expected.map(({ prefix, asn, peers }) => ({ prefix, asn, peers })));
  }
  expect(all.length).toBeGreaterThan(3_000);
});

test('traffic of a block is carried by announcements inside and around it, but not by what covers everything or what a holder uploaded', async () => {
  await using portal = await testPortal();
  await portal.db.change(line, async change => {
    await change.rows(sql`update bgp_table set state = 'replaced' where state = 'current'`);
    for (const [account, seen] of [
      [null, { '10.8.0.0/16': 64500, '10.8.4.0/25': 64501, '0.0.0.0/0': 64502, '10.9.0.0/16': 64503 }],
      ['EXAMPLE-AU', { '10.8.4.0/24': 64504 }],
    ] as const)
      await change.rows(sql`with made as (insert into bgp_table (family, account_name, uploaded_by, file_name, collected_at, imported_at, peers, announcements, state)
          values (4, ${account}, ${account}, 'table', now(), now(), 331, 1, 'current') returning bgp_table_id)
        insert into bgp_announcement (bgp_table_id, prefix, asn, peers) select bgp_table_id, key::cidr, value::bigint, 300 from made, jsonb_each_text(${JSON.stringify(seen)}::jsonb)`);
  });
  const { peers, announcements } = await liveAnnouncements(portal.db.read, ['10.8.4.0/24']);
  expect([peers, announcements.map(({ asn }) => Number(asn))]).toEqual([331, [64501, 64500]]);
});
