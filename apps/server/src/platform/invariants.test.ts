import { DAY_MS, HOUR_MS } from '@portal/contract/days';
import { CompiledQuery, sql } from 'kysely';
import { expect, test } from 'vitest';
import { type TestPortal, testPortal } from '../../test/portal.ts';
import { foundByLook, invariantsWork } from './invariants.ts';
import { periodicHandler } from './periodic-work.ts';

const line = { action: 'test', summary: 'Test', traceId: '0'.repeat(32) };

/** Writes past every guard. */
const past = ({ db }: TestPortal, statement: string) =>
  db.change(line, async change => {
    await sql`set local session_replication_role = replica`.execute(change);
    await change.executeQuery(CompiledQuery.raw(statement));
  });
const status = (portal: TestPortal, name: string, to: string) =>
  past(portal, `update delegation set status = '${to}' where account_name = '${name}' and kind = 'ipv4'`);

test('a worker checks everything each week and what changed each day, and a violation is an alarm until it is fixed', async () => {
  let offset = 0;
  await using portal = await testPortal(undefined, {}, () => new Date(Date.now() + offset));
  const { context, db } = portal;
  await db.unrecorded.insertInto('periodicWork').values({ name: invariantsWork.name, knownSince: context.clock().toISOString() }).execute();
  const look = async (later: number) => {
    offset += later;
    await periodicHandler(context, invariantsWork)();
    return (await foundByLook(db.read)).map(({ name }) => name);
  };
  const readiness = async () =>
    (await (await portal.request('/readyz?role=worker')).json()) as { status: string; roles: { worker: string[] } };
  expect(await look(0)).toEqual([]);
  await status(portal, 'EXAMPLE-AU', 'locked');
  // It has run today.
  expect(await look(HOUR_MS)).toEqual([]);
  // A day later it looks at accounts with an activity since; this change left none of its own.
  expect(await look(DAY_MS)).toEqual([]);
  await db.change({ ...line, accountName: 'EXAMPLE-AU' }, () => Promise.resolve());
  expect(await look(DAY_MS)).toEqual(['requests.locks']);
  const { roles } = await readiness();
  expect(roles.worker.join()).toMatch(
    /requests.locks is broken \d+ times: 198\.18\.\S+( - \S+)? of EXAMPLE-AU is locked, and no open case needs that/,
  );
  const metrics = await (await portal.request('/metrics')).text();
  expect(metrics).toMatch(/invariant_violations\{invariant="requests.locks"\} [1-9]/);
  expect(metrics).toContain('invariant_violations{invariant="whois.ledger"} 0');
  await status(portal, 'EXAMPLE-AU', 'active');
  expect(await look(HOUR_MS)).toEqual([]);
  expect((await readiness()).roles.worker.join()).not.toContain('requests.locks');
  await status(portal, 'OTHER-SG', 'locked');
  expect(await look(7 * DAY_MS)).toEqual(['requests.locks']);
});
