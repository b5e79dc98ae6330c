import { api } from '@portal/contract/api';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { endSessions, findLogin } from '../../src/modules/identity/index.ts';
import { mailServer } from '../../src/modules/mail/mail-server.ts';
import { openProcessLiveness } from '../../src/platform/database/index.ts';
import { standIn } from '../../src/platform/outside-systems.ts';
import { startWorker } from '../../src/platform/worker.ts';
import { tasksOf, testContext } from '../context.ts';
import { kinds, secondProcess, testPortal } from '../portal.ts';

/** Answers once the condition holds; the condition is looked at whenever something may have changed it. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    if (await holds()) return;
    await new Promise(resolve => setImmediate(resolve));
  }
  expect(await holds()).toBe(true);
}

describe.runIf(kinds.includes('postgres'))('two web processes on one PostgreSQL behave as one', () => {
  test('a session opened with one is known to the other, and ended by one is refused by the other', async () => {
    await using one = await testPortal('postgres');
    await using two = await secondProcess(one.url);
    const token = await one.tokenOf('corin');
    const ask = (portal: Pick<typeof two, 'request'>) => portal.request('/api/accounts', { headers: { authorization: `Bearer ${token}` } });
    expect((await ask(two)).status).toBe(200);

    const login = await findLogin(one.db.read, 'corin');
    await one.db.change({ action: 'test', summary: 'Ended sessions', traceId: '0'.repeat(32) }, change =>
      endSessions(change, login!.loginId, 'test'),
    );
    await until(async () => (await ask(two)).status === 401);
    await until(async () => (await ask(one)).status === 401);
  });

  test('a notification that one listener can’t read reaches the others, and so do those after it', async () => {
    await using one = await testPortal('postgres');
    await using two = await secondProcess(one.url);
    const heard: unknown[] = [];
    for (const { db } of [one, two]) {
      await db.listen('live', payload => heard.push(JSON.parse(payload)));
      await db.listen('live', payload => heard.push(payload));
    }
    for (const payload of ['junk {', '{"what":"nothing"}']) await sql`select pg_notify('live', ${payload})`.execute(one.db.unrecorded);
    await expect.poll(() => heard.length, { timeout: 10_000, interval: 10 }).toBe(6);
    expect(heard.filter(each => each === 'junk {')).toHaveLength(2);
    expect(heard.filter(each => typeof each === 'object')).toEqual([{ what: 'nothing' }, { what: 'nothing' }]);
    expect((await two.request('/healthz')).status).toBe(200);
  });

  test('what one writes the other reads', async () => {
    await using one = await testPortal('postgres');
    await using two = await secondProcess(one.url);
    const token = await one.tokenOf('corin');
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    await one.request('/api/me/preferences', { method: 'PATCH', headers, body: JSON.stringify({ hourCycle: 'h12' }) });
    expect(await (await two.request('/api/me', { headers })).json()).toMatchObject({ preferences: { hourCycle: 'h12' } });
  });

  test('a task enqueued by one is done once, in either process', async () => {
    await using one = await testPortal('postgres');
    await using two = await secondProcess(one.url);
    const delivered: number[] = [];
    const deliver = async ({ mailId }: { mailId: number }) => {
      delivered.push(mailId);
      return undefined;
    };
    const runners = await Promise.all(
      [one, two].map(({ context }) => {
        const own = testContext(context, standIn(mailServer, { deliver, keepsLinks: false }));
        return startWorker(own, { tasks: tasksOf(own), schedule: [] });
      }),
    );
    try {
      const bill = await one.as('bill');
      await bill(api.contacts.askForPermission, { account: 'EXAMPLE-AU', body: { permissions: ['roas-update'], page: '/' } });
      await until(async () => (await two.db.read.selectFrom('task').selectAll().where('outcome', '=', 'success').execute()).length === 1);
      expect(delivered).toEqual([1]);
    } finally {
      await Promise.all(runners.map(runner => runner.stop()));
    }
  });

  test('the tasks of a process that is gone are taken up, unless it was the last attempt; those of one that lives are left alone', async () => {
    await using portal = await testPortal('postgres');
    const stella = await portal.as('stella');
    const say = async (message: string): Promise<number> =>
      (await stella(api.tasks.echo, { body: { accountName: 'EXAMPLE-AU', message, fail: false } })).data!.taskId;
    const heldBy = async (taskId: number, holder: string, attempts: number): Promise<void> => {
      await sql`update graphile_worker._private_jobs set locked_by = ${holder}, locked_at = now(), attempts = ${attempts}, max_attempts = 3
        where (payload ->> 'taskId')::bigint = ${taskId}`.execute(portal.db.unrecorded);
      await portal.db.unrecorded.updateTable('task').set({ state: 'running' }).where('taskId', '=', taskId).execute();
    };
    const [taken, given, left] = [await say('taken up'), await say('given up'), await say('left alone')];
    const living = await openProcessLiveness(portal.db, () => {});
    await living.begin(async () => ({ name: 'pool-living', answer: null }));
    await heldBy(taken, 'pool-gone', 1);
    await heldBy(given, 'pool-gone', 3);
    await heldBy(left, 'pool-living', 1);
    const runner = await startWorker(portal.context, { tasks: tasksOf(portal.context), schedule: [] });
    try {
      const outcomes = async () => {
        const rows = await portal.db.read.selectFrom('task').select(['taskId', 'outcome']).orderBy('taskId').execute();
        return [taken, given, left].map(taskId => rows.find(row => row.taskId === taskId)?.outcome);
      };
      await expect.poll(outcomes, { timeout: 30_000, interval: 10 }).toEqual(['success', 'failed', null]);
    } finally {
      await runner.stop();
      await living.close();
    }
  });
});
