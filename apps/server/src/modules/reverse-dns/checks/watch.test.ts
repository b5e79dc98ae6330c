import { HOUR_MS } from '@portal/contract/days';
import { type RawBuilder, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { kindsForRules, testPortal } from '../../../../test/portal.ts';
import { watchZones } from './watch.ts';

const line = { action: 'test', summary: 'Delegated', traceId: '0'.repeat(32) };

describe.each(kindsForRules)('delegated zones on %s', kind => {
  test('are checked eighty at a time, each once, skipping those checked today', async () => {
    await using portal = await testPortal(kind);
    const { db } = portal;
    await db.change(line, change =>
      change.rows(sql`insert into whois_object (class, key, shown, text, version, first, last, registry_maintained, kept, created_at, changed_at)
        select 'domain', zone, zone, 'domain: ' || zone, 1, ('100.' || n || '.0.0')::inet, ('100.' || n || '.255.255')::inet, false, false, now(), now()
        from (select n, n || '.100.in-addr.arpa' as zone from generate_series(1, 170) n) w`),
    );
    const countOf = async (query: RawBuilder<{ n: number }>): Promise<number> => (await db.read.rows(query))[0]!.n;
    const all = await countOf(sql<{ n: number }>`select count(*)::int as n from whois_object where class = 'domain' and first is not null`);
    const asked = () => countOf(sql<{ n: number }>`select count(distinct zone)::int as n from rdns_check where login_id is null`);
    const config = { ...portal.config, dnsWatch: true, demoMode: false };
    const now = Date.now();
    const counts: number[] = [];
    for (const after of [0, 0, 0, 0, 5 * HOUR_MS]) {
      await watchZones({ db, clock: () => new Date(now + after), config });
      counts.push(await asked());
    }
    expect(counts).toEqual([80, 160, all, all, all]);
    const checks = () => countOf(sql<{ n: number }>`select count(*)::int as n from rdns_check where login_id is null`);
    expect(await checks()).toBe(all);
    // Asked for and made while the clock was ahead: checked again now that it is right.
    await db.change(line, async change => {
      await change.rows(sql`update rdns_check set asked_at = now() + interval '1 year' where zone = '7.100.in-addr.arpa'`);
      await change.rows(sql`insert into rdns_zone (zone, state, dnssec, checked_at) values ('7.100.in-addr.arpa', 'ok', 'none', now() + interval '1 year')
        on conflict (zone) do update set checked_at = excluded.checked_at`);
    });
    await watchZones({ db, clock: () => new Date(), config });
    expect(await checks()).toBe(all + 1);
  });
});
