import { api } from '@portal/contract/api';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testPortal } from '../../../test/portal.ts';
import { gapsQuery } from './free-space.ts';

const account = 'NATREG-XX';

test('free space of a pool with very many registrations is read in index order, and stops after the wanted gaps', async () => {
  await using portal = await testPortal('postgres');
  const nils = await portal.as('nils');
  const many = Number(process.env.FREE_SPACE_ROWS ?? 20_000);
  await portal.db.change(
    { action: 'test', summary: 'Set the scene', traceId: '0'.repeat(32) },
    async change => {
      await change.rows(sql`set local session_replication_role = replica`);
      await change.rows(sql`set local statement_timeout = 0`);
      await change.rows(sql`update delegation set first = '10.0.0.0', last = '10.255.255.255', resource = '10.0.0.0/8', size = 16777216
      where account_name = ${account} and kind = 'ipv4'`);
      // Every sixteenth /28 is free.
      for (let from = 0; from < many; from += 50_000)
        await change.rows(sql`insert into assignment (delegation_id, account_name, kind, first, last, resource, size, type, level, netname, visibility, economy, registered_on, updated_at, portable)
        select d.delegation_id, ${account}, 'ipv4', '10.0.0.0'::inet + 16 * n, '10.0.0.0'::inet + 16 * n + 15, host('10.0.0.0'::inet + 16 * n) || '/28', 16, 'assigned', 0, 'NET-' || n, 'public', 'ZZ', now(), now(), true
        from delegation d, generate_series(${from}::int, ${Math.min(from + 50_000, many) - 1}::int) n where d.account_name = ${account} and d.kind = 'ipv4' and n % 16 <> 7`);
    },
    { timeout: 0 },
  );
  await portal.db.change({ action: 'test', summary: 'Counted', traceId: '0'.repeat(32) }, change => change.rows(sql`analyze assignment`));
  const started = performance.now();
  const answer = await nils(api.nirDelegations.listNirFreeSpace, { account, query: { kind: 'ipv4', length: 28 } });
  const first = performance.now() - started;
  expect(answer.data!.slice(0, 2)).toMatchObject([{ resource: '10.0.0.112/28' }, { resource: '10.0.1.112/28' }]);
  const plan = await portal.db.read.rows<{ 'QUERY PLAN': string }>(
    sql`explain (analyze, timing off, summary off) ${gapsQuery(account, 'ipv4', 28)}`,
  );
  const text = plan.map(line => line['QUERY PLAN'] ?? Object.values(line)[0]).join('\n');
  expect(text).toMatch(/Index (Only )?Scan using assignment_delegation/);
  // The first 8,000 rows contain 500 gaps; the others are not read.
  const read = Number(/WindowAgg.*actual rows=(\d+)/.exec(text)![1]);
  expect(read).toBeLessThan(9_000);
  const again = performance.now();
  await nils(api.nirDelegations.listNirFreeSpace, { account, query: { kind: 'ipv4', length: 28 } });
  const second = performance.now() - again;

  // Every /24 is partly used, so none is free: only the last row of each is read.
  const end = `10.0.0.0'::inet + ${16 * many - 1}`;
  await portal.db.change({ action: 'test', summary: 'Filled the pool', traceId: '0'.repeat(32) }, async change => {
    await change.rows(sql`set local session_replication_role = replica`);
    await change.rows(
      sql`update delegation set last = ${sql.raw(`'${end}`)}, size = ${16 * many} where account_name = ${account} and first = '10.0.0.0'`,
    );
  });
  const full = performance.now();
  const none = await nils(api.nirDelegations.listNirFreeSpace, { account, query: { kind: 'ipv4', length: 24 } });
  const third = performance.now() - full;
  expect(none.data).toEqual([]);
  const looked = await portal.db.read.rows<{ 'QUERY PLAN': string }>(
    sql`explain (analyze, timing off, summary off) ${gapsQuery(account, 'ipv4', 24)}`,
  );
  expect(looked.map(line => Object.values(line)[0]).join('\n')).not.toMatch(/WindowAgg.*\(actual rows=(?!0)/);
  if (process.env.FREE_SPACE_ROWS)
    process.stderr.write(
      `${many} rows: a /28 in ${first.toFixed(0)} ms, then ${second.toFixed(0)} ms; no free /24 in ${third.toFixed(0)} ms\n`,
    );
}, 600_000);
