import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDeliveries } from '../../src/modules/webhooks/webhook-events.ts';
import { takeDue } from '../../src/modules/webhooks/webhook-sending.ts';
import { echoTask } from '../../src/modules/tasks/echo.ts';
import { metricsOfBacklogs } from '../../src/platform/backlogs.ts';
import { type TestPortal, testPortal } from '../portal.ts';

const COUNT = 100_000;
/** The longest that a queue may take to answer, in ms, however much waits; a query that looked at each for each would take minutes. */
const MAX_MS = 2_000;
const account = 'EXAMPLE-AU';
const line = { action: 'test', summary: 'Filled the queues', traceId: '0'.repeat(32), accountName: account };

let portal: TestPortal;
beforeAll(async () => {
  portal = await testPortal();
});
afterAll(() => portal[Symbol.asyncDispose]());

const timed = async <T>(work: () => Promise<T>): Promise<T> => {
  const begun = performance.now();
  const answer = await work();
  expect(performance.now() - begun).toBeLessThan(MAX_MS);
  return answer;
};
const backlogs = async (): Promise<Record<string, number>> => {
  const lines = await timed(() => metricsOfBacklogs(portal.context));
  return Object.fromEntries(
    lines.flatMap(each => {
      const [, name, count] = /^backlog\{of="(.*)"\} (\d+)$/.exec(each) ?? [];
      return name === undefined ? [] : [[name, Number(count)]];
    }),
  );
};

test('each queue of the program says how much waits, and since when', async () => {
  expect(Object.keys(await backlogs()).toSorted()).toEqual([
    'mail',
    'rpki.changes',
    'rpki.judgements',
    'rpki.messages',
    'tasks',
    'tickets.tracker',
    'webhooks.deliveries',
    'webhooks.events',
    'whois.accounts',
  ]);
  expect((await metricsOfBacklogs(portal.context)).filter(each => each.startsWith('backlog_age_seconds'))).toHaveLength(9);
});

test('with 100,000 of one account in each, others are still served, in time', { timeout: 120_000 }, async () => {
  const before = await backlogs();
  await portal.db.change(line, async change => {
    const series = sql`generate_series(1, ${COUNT}::int) n`;
    for (const [label, of, owner] of [
      ['of-many', account, 'corin'],
      ['of-one', 'OTHER-SG', 'olive'],
    ] as const)
      await change.rows(
        sql`insert into webhook (account_name, label, url, login_id, created_at) select ${of}, ${label}, 'https://hooks.example.net/', login_id, now() from login where username = ${owner}`,
      );
    await change.rows(
      sql`insert into task (name, summary, input, activity_id, account_name) select 'whois.echo', 'Echo', '{}', ${change.activityId}::bigint, ${account} from ${series}`,
    );
    await change.rows(
      sql`insert into mail (recipient, subject, body, account_name, written_at, topic) select 'a@b.example', 's', 'b', ${account}, now(), 'whois.objects' from ${series}`,
    );
    await change.rows(sql`insert into webhook_delivery (webhook_id, event_id, type, content, created_at, due_at)
      select webhook_id, 'evt', 't', '{}', now(), now() - interval '1 minute' from webhook cross join ${series} where label = 'of-many'`);
    await change.rows(sql`insert into webhook_delivery (webhook_id, event_id, type, content, created_at, due_at)
      select webhook_id, 'evt', 't', '{}', now(), now() from webhook where label = 'of-one'`);
    await change.rows(sql`insert into whois_due_account (account_name) select 'A' || n from ${series}`);
    await change.rows(sql`insert into rpki_due (account_name) select ${account} from ${series}`);
  });
  await sql`insert into activity (action, summary, trace_id, account_name) select 'tasks.echo', 'Echo', ${'0'.repeat(32)}, ${account} from generate_series(1, ${COUNT}::int)`.execute(
    portal.db.unrecorded,
  );
  await sql`analyze`.execute(portal.db.unrecorded);
  const now = await backlogs();
  for (const name of ['tasks', 'mail', 'webhooks.events', 'webhooks.deliveries', 'whois.accounts', 'rpki.changes'])
    expect(now[name]! - before[name]!).toBeGreaterThanOrEqual(COUNT);

  expect(new Set((await timed(() => takeDue(portal.db, new Date(), 8))).map(({ accountName }) => accountName))).toEqual(
    new Set([account, 'OTHER-SG']),
  );
  expect(await timed(() => makeDeliveries(portal.context))).toBe(true);
  // A task of another account is begun before all but the first of these.
  const taskId = await timed(() =>
    portal.db.change({ ...line, accountName: 'OTHER-SG' }, change => change.enqueue(echoTask, { message: 'in its turn', fail: false })),
  );
  const [job] = await portal.db.read.rows<{ priority: number }>(
    sql`select priority from graphile_worker._private_jobs where payload ->> 'taskId' = ${String(taskId)}`,
  );
  expect(job!.priority).toBe(0);
  const late = await timed(() => portal.db.change(line, change => change.enqueue(echoTask, { message: 'behind its own', fail: false })));
  const [own] = await portal.db.read.rows<{ priority: number }>(
    sql`select priority from graphile_worker._private_jobs where payload ->> 'taskId' = ${String(late)}`,
  );
  expect(own!.priority).toBe(200);
});
