import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS, instantBefore } from '@portal/contract/days';
import type { Database } from '../../src/platform/database/index.ts';
import { healthServer } from '../../src/platform/health.ts';
import { testContext } from '../context.ts';
import { kinds, testPortal, type TestPortal } from '../portal.ts';

describe.each(kinds)('/readyz on %s', kind => {
  let portal: TestPortal;
  let health: ReturnType<typeof healthServer>;
  beforeEach(async () => {
    portal = await testPortal(kind);
    health = healthServer(testContext(portal), () => ['made_up 1']);
  });
  afterEach(async () => {
    await health.close();
    await portal[Symbol.asyncDispose]();
  });
  const ask = async (query = '') => {
    const answer = await health.inject(`/readyz${query}`);
    return { ...(answer.json() as { problems: string[]; roles: Record<string, string[]> }), status: answer.statusCode };
  };

  test('is ready for every role if nothing is missing', async () => {
    for (const query of ['', '?role=web', '?role=worker', '?role=whois', '?role=nobody', '?role=worker&role=whois', '?role='])
      expect(await ask(query), query).toMatchObject({ status: 200, problems: [], roles: { web: [], worker: [], whois: [] } });
  });

  test('names replicas by their place in the setting: addresses are not for strangers', async () => {
    const state = { address: 'replica.internal:5432/portal', role: 'replica', behindSeconds: 0.25, isUsed: true } as const;
    const replicas = [{ ...state, number: 1 }, { ...state, number: 2, role: 'away', isUsed: false } as const];
    const db = Object.defineProperties({} as Database, {
      ...Object.getOwnPropertyDescriptors(portal.db),
      replicaStates: { value: () => ({ replicas, onReplicas: 0, onPrimary: 0, repeated: 0 }) },
    });
    const named = healthServer(testContext({ ...portal, db }), () => []);
    const { body } = await named.inject('/readyz');
    expect(JSON.parse(body)).toMatchObject({
      replicas: ['replica 1 is a replica, at most 0.3 s behind', 'replica 2 does not answer, and is left out'],
    });
    expect(body).not.toContain('internal');
    await named.close();
  });

  test('is not ready for whois while accounts are missing there, but for the other roles', async () => {
    await portal.db.change({ action: 'test', summary: 'Imported', traceId: '0'.repeat(32) }, change =>
      change.rows(sql`insert into whois_due_account (account_name) select account_name from account on conflict do nothing`),
    );
    // A few accounts are written within seconds.
    expect((await ask('?role=whois')).status).toBe(200);
    await portal.db.change({ action: 'test', summary: 'Imported more', traceId: '0'.repeat(32) }, async change => {
      await change.rows(
        sql`insert into whois_due_account (account_name) select 'MANY-' || n from generate_series(1, 400) n on conflict do nothing`,
      );
    });
    const problem = expect.stringMatching(/^4\d\d accounts are still being written to whois$/);
    expect(await ask('?role=whois')).toMatchObject({ status: 503, problems: [], roles: { whois: [problem] } });
    for (const query of ['', '?role=web', '?role=worker'])
      expect(await ask(query), query).toMatchObject({ status: 200, roles: { whois: [problem] } });
  });

  test('is not ready for the worker if periodic work is late, with its name and reason', async () => {
    const long = instantBefore(new Date(), DAY_MS);
    await sql`insert into periodic_work (name, known_since, begun_at, failed_at, failure)
      values ('platform.sealActivities', ${long}::timestamptz, ${long}::timestamptz, ${long}::timestamptz, 'no room')`.execute(
      portal.db.unrecorded,
    );
    expect(await ask('?role=worker')).toMatchObject({
      status: 503,
      problems: [],
      roles: { worker: ['platform.sealActivities is late, last done never: no room'] },
    });
    for (const query of ['', '?role=web', '?role=whois']) expect((await ask(query)).status, query).toBe(200);
    await sql`update periodic_work set succeeded_at = now(), failure = null`.execute(portal.db.unrecorded);
    expect((await ask('?role=worker')).status).toBe(200);
  });

  test('is ready for no role while a migration is pending, though the server runs', async () => {
    await portal.db.pool.query(`delete from migration where name = (select max(name) from migration)`);
    for (const query of ['', '?role=web', '?role=worker', '?role=whois'])
      expect(await ask(query), query).toMatchObject({ status: 503, problems: [expect.stringMatching(/^migrations due: \d{4}_\w+\.sql$/)] });
    expect((await health.inject('/healthz')).statusCode).toBe(200);
  });
});
