import { api } from '@portal/contract/api';
import { maxOwnAnnouncements } from '@portal/contract/routes/own-tables';
import { maxRoas } from '@portal/contract/rpki/rpki';
import { MINUTE_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { watchAnnouncements } from '../../src/modules/routes/watch-announcements.ts';
import { publishAll } from '../../src/modules/rpki/index.ts';
import { type TestPortal, testPortal } from '../portal.ts';
import { longestTurnOf } from '../thread-costs.ts';

/** The longest, in ms of processor time, for which a reading holds up everything else. Work lasts a millisecond at a time; the rest is that memory is collected. */
const MAX_MS = 10;
/** The same where tens of thousands of whole rows are in memory together. */
const WITH_ROWS_MS = 20;
/** Memory that a reading may take, in MB. */
const MAX_MB = 300;
/** As many route objects. */
const ROUTE_OBJECTS = 10_000;
const account = '/api/EXAMPLE-AU';

let portal: TestPortal;
/**
 * The worst that one member with ordinary permissions makes: as many ROAs as it may have, all for one prefix, published, as many of its own authority, and 10,000 route objects; and as many
 * announcements inside that prefix. Held against each other, they are 800 million pairs.
 */
beforeAll(async () => {
  portal = await testPortal();
  await (await portal.as('corin'))(api.rpki.enable, { account: 'EXAMPLE-AU' });
  await publishAll(portal.context);
  const line = { action: 'test', summary: 'Stored ROAs and announcements', traceId: '0'.repeat(32) };
  await portal.db.change(line, async change => {
    await change.rows(sql`insert into roa (account_name, prefix, max_length, asn, created_at)
      select 'EXAMPLE-AU', '198.18.0.0/19', 24, n, now() from generate_series(1, ${maxRoas - 10}) n on conflict do nothing`);
    await change.rows(sql`insert into rpki_object (uri, key_id, kind, content, sha256, modified_at, subject, roa_ids, published_in)
      select 'rsync://large/1.roa', (select min(key_id) from rpki_key join rpki_ca using (ca_id) where account_name = 'EXAMPLE-AU'), 'roa', '', '', now(), '', (select array_agg(roa_id) from roa where account_name = 'EXAMPLE-AU' and prefix = '198.18.0.0/19'), 1`);
    await change.rows(
      sql`insert into rpki_child (account_name, handle, child_handle, identity, created_at) values ('OTHER-SG', 'large', 'own', '', now())`,
    );
    await change.rows(sql`insert into rpki_child_vrp (child_id, prefix, asn, max_length)
      select child_id, '198.18.0.0/19', 100000 + n, 24 from rpki_child, generate_series(1, ${maxRoas}) n where handle = 'large'`);
    const [table] = await change.rows<{
      id: string;
    }>(sql`insert into bgp_table (account_name, uploaded_by, family, file_name, collected_at, imported_at, peers, announcements, state)
      values ('EXAMPLE-AU', 'Corin', 4, 'table', now(), now(), 1, ${maxOwnAnnouncements}, 'current') returning bgp_table_id::text as id`);
    await change.rows(sql`insert into bgp_announcement (bgp_table_id, prefix, asn, peers)
      select ${table!.id}::bigint, (host('198.18.0.0'::inet + (n % 8192)) || '/32')::cidr, 300000 + n, n % 40 from generate_series(1, ${maxOwnAnnouncements}) n`);
    await change.rows(sql`with stored as (
        insert into whois_object (class, key, shown, text, version, first, last, prefix_length, origin, created_at, changed_at)
        select 'route', prefix || 'as' || asn, prefix || 'AS' || asn, 'route: ' || prefix || chr(10) || 'origin: AS' || asn || chr(10) || 'mnt-by: MAINT-AU-EXAMPLE'
            || chr(10) || 'source: EXAMPLE' || chr(10), 1, host(network(prefix::inet))::inet, host(broadcast(prefix::inet))::inet, 24, asn, now(), now()
        from (select '198.18.' || n % 32 || '.0/24' as prefix, 400000 + n as asn from generate_series(1, ${ROUTE_OBJECTS}) n) wanted returning object_id)
      insert into whois_reference (object_id, attribute, value) select object_id, 'mnt-by', 'maint-au-example' from stored`);
    // The watcher leaves out accounts that are about to be published.
    await change.rows(sql`delete from rpki_due`);
  });
});
afterAll(() => portal[Symbol.asyncDispose]());

test.each<[string, string, (answer: never) => boolean, number?]>([
  [
    'a page of routes',
    '/routes?limit=50',
    (answer: { total: number }) => answer.total > maxRoas + maxOwnAnnouncements + ROUTE_OBJECTS - 20,
    WITH_ROWS_MS,
  ],
  ['suggestions', '/routes/suggestions', (answer: { total: number }) => answer.total > maxOwnAnnouncements],
  [
    'a block of the routed space',
    '/routes/routed-space?within=198.18.0.0/19',
    (answer: { announcements: unknown[] }) => answer.announcements.length === 2_000,
  ],
  ['alerts', '/routes/alerts', () => true],
  ['ROAs', '/rpki/roas?limit=50', (answer: { total: number }) => answer.total > maxRoas - 20],
  ['the counts of home', '/home/network', (answer: { routes: { invalid: number } }) => answer.routes.invalid >= maxOwnAnnouncements],
])(
  '%s of the largest account are read, which holds up nothing',
  { timeout: 5 * MINUTE_MS },
  async (_name, path, isWhole, bound = MAX_MS) => {
    const headers = { authorization: `Bearer ${await portal.tokenOf('corin')}` };
    const longest = await longestTurnOf(bound, async () => {
      const before = process.memoryUsage().heapUsed;
      const answer = await portal.request(account + path, { headers });
      expect(answer.status).toBe(200);
      expect((process.memoryUsage().heapUsed - before) / 2 ** 20).toBeLessThan(MAX_MB);
      expect(isWhole((await answer.json()) as never)).toBe(true);
    });
    expect(longest).toBeLessThan(bound);
  },
);

test('the watcher judges them, which holds up nothing', { timeout: 5 * MINUTE_MS }, async () => {
  const longest = await longestTurnOf(WITH_ROWS_MS, () => watchAnnouncements(portal.context));
  expect(longest).toBeLessThan(WITH_ROWS_MS);
  const [stored] = await portal.db.read.rows<{ alerts: number }>(
    sql`select count(*)::int as alerts from route_alert where account_name = 'EXAMPLE-AU'`,
  );
  expect(stored!.alerts).toBeGreaterThanOrEqual(maxOwnAnnouncements);
});
