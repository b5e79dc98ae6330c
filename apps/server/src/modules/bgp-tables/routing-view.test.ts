import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testPortal } from '../../../test/portal.ts';
import { routingView } from './routing-view.ts';

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
