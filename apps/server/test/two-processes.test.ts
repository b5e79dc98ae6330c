import { api } from '@portal/contract';
import { describe, expect, test } from 'vitest';
import { endSessions, findLogin } from '../src/modules/identity/index.ts';
import { letterheadOf } from '../src/modules/mail/index.ts';
import { createLog } from '../src/platform/log.ts';
import { openSecretBox } from '../src/platform/secret-box.ts';
import { runTasks } from '../src/platform/tasks.ts';
import { readProfile } from '../src/profile.ts';
import { taskTypes } from '../src/tasks.ts';
import { kinds, secondProcess, testPortal } from './portal.ts';

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

  test('what one writes the other reads', async () => {
    await using one = await testPortal('postgres');
    await using two = await secondProcess(one.url);
    const token = await one.tokenOf('corin');
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    await one.request('/api/me/preferences', { method: 'PATCH', headers, body: JSON.stringify({ hourCycle: 'h12' }) });
    expect(await (await two.request('/api/me', { headers })).json()).toMatchObject({ preferences: { hourCycle: 'h12' } });
  });

  test('a task enqueued by one is done once, whoever takes it', async () => {
    await using one = await testPortal('postgres');
    await using two = await secondProcess(one.url);
    const delivered: number[] = [];
    const deliver = async ({ mailId }: { mailId: number }) => {
      delivered.push(mailId);
      return undefined;
    };
    const letterhead = letterheadOf(one.config, readProfile(''));
    const deps = { post: { deliver, keepsLinks: false }, box: openSecretBox(one.config), letterhead, profile: readProfile('') };
    const log = createLog('silent');
    const runners = await Promise.all([runTasks(one.db, taskTypes, deps, log), runTasks(two.db, taskTypes, deps, log)]);
    try {
      const bill = await one.as('bill');
      await bill(api.contacts.askForPermission, { account: 'EXAMPLE-AU', body: { permissions: ['roas-update'], page: '/' } });
      await until(async () => (await two.db.read.selectFrom('task').selectAll().where('outcome', '=', 'success').execute()).length === 1);
      expect(delivered).toEqual([1]);
    } finally {
      await Promise.all(runners.map(runner => runner.stop()));
    }
  });
});
