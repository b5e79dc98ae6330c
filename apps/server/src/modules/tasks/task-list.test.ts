import type { QueryOf } from '@portal/contract';
import { api } from '@portal/contract/api';
import type { tasks } from '@portal/contract/tasks/tasks';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { testPortal, type TestPortal } from '../../../test/portal.ts';
import type { Change } from '../../platform/database/index.ts';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';
import type { WordedActivity } from '../../platform/activity-words.ts';
import type { Module } from '../../platform/module.ts';
import { taskType } from '../../platform/tasks.ts';
import { getTask, listTasks, retryTask, revertTask } from './task-list.ts';

const account = 'EXAMPLE-AU';
let portal: TestPortal;
let corin: Awaited<ReturnType<TestPortal['as']>>;
let dryRun: number;
beforeAll(async () => {
  portal = await testPortal();
  corin = await portal.as('corin');
  const stella = await portal.as('stella');
  for (const message of ['one', 'two', 'three'])
    await stella(api.tasks.echo, { body: { accountName: account, message, fail: message === 'three' } });
  await portal.runTasks();
  const text = Array.from({ length: 501 }, () => 'route: 198.18.0.0/24\norigin: AS64500\nsource: EXAMPLE\n').join('\n');
  dryRun = (await corin(api.whois.uploadText, { account, body: { text, dryRun: true } })).data!.taskId!;
  // A while ago, for those who look for a day.
  await portal.db.unrecorded.updateTable('task').set({ createdAt: '2026-01-05T23:30:00Z' }).where('taskId', '=', dryRun).execute();
});
afterAll(() => portal[Symbol.asyncDispose]());

type Query = Partial<QueryOf<typeof tasks.listTasks>>;
const list = async (query: Query) => (await corin(api.tasks.listTasks, { account, query })).data!;

describe('the tasks of an account', () => {
  test('can be filtered by state, outcome, kind, person and day, with counts for every choice', async () => {
    const all = await list({});
    expect(all.total).toBe(4);
    expect(all.facets).toMatchObject({
      names: [
        { value: 'whois.echo', kind: 'Echo', tasks: 3 },
        { value: 'whois.modifyObjects', kind: 'Whois objects', tasks: 1 },
      ],
      states: [
        { value: 'queued', tasks: 1 },
        { value: 'completed', tasks: 3 },
      ],
      outcomes: [
        { value: 'success', tasks: 2 },
        { value: 'failed', tasks: 1 },
      ],
      people: [
        { name: 'Corin Achterberg', tasks: 1 },
        { name: 'The registry', value: 'registry', tasks: 3 },
      ],
    });
    const failed = await list({ outcome: 'failed' });
    expect(failed.rows.map(({ summary }) => summary)).toEqual(['Echo: three']);
    // Other choices of the same filter remain available; the counts of other filters are narrowed by it.
    expect(failed.facets.outcomes).toEqual(all.facets.outcomes);
    expect(failed.facets.names).toEqual([{ value: 'whois.echo', kind: 'Echo', tasks: 1 }]);
    const own = all.facets.people.find(({ name }) => name === 'Corin Achterberg')!.value;
    expect((await list({ person: own })).rows).toMatchObject([{ taskId: dryRun, mine: true }]);
    expect((await list({ person: 'registry', state: 'queued' })).rows).toEqual([]);
    expect((await list({ name: 'whois.echo', limit: 2 })).more).toBe(true);
    expect(await list({ kind: 'bulk' })).toMatchObject({ total: 1, facets: { names: [{ value: 'whois.modifyObjects' }] } });
    const day = await list({ from: '2026-01-05', to: '2026-01-05' });
    expect(day.rows.map(({ taskId }) => taskId)).toEqual([dryRun]);
    expect((await list({ to: '2026-01-04' })).total).toBe(0);
    expect((await list({ from: '2026-01-06' })).total).toBe(3);
  });

  test('of the caller only, for contacts who may not see resources', async () => {
    const bill = await portal.as('bill');
    const { data } = await bill(api.tasks.listTasks, { account });
    expect(data).toMatchObject({ rows: [], total: 0, facets: { names: [], states: [], outcomes: [], people: [] } });
  });

  test('are exported with the filters', async () => {
    const headers = { authorization: `Bearer ${await portal.tokenOf('corin')}` };
    const file = await portal.request(`/api/${account}/tasks-export?format=csv&name=whois.echo&outcome=success`, { headers });
    const lines = (await file.text()).trim().split(/\r?\n/);
    expect(lines[0]).toBe('task,kind,summary,state,outcome,startedBy,createdAt,startedAt,finishedAt,itemsDone,itemsTotal');
    expect(lines.slice(1).map(line => line.split(',').slice(1, 6).join())).toEqual([
      'whois.echo,Echo: two,completed,success,The registry',
      'whois.echo,Echo: one,completed,success,The registry',
    ]);
  });

  test('can’t be filtered by an invalid person', async () => {
    const { errors } = await corin(api.tasks.listTasks, { account, query: { person: 'tess' } });
    expect(errors?.[0]?.code).toBe('INVALID_REQUEST');
  });
});

test('a kind of task of another module is listed, shown, retried and undone by its declaration', async () => {
  const calls: unknown[] = [];
  const counts = { pending: 0, ok: 2, unchanged: 0, failed: 1, skipped: 0 };
  const repeat =
    (how: string) =>
    async (change: Change, _account: unknown, { taskId, mode }: { taskId: number; mode: string | null }) => {
      calls.push([how, taskId, mode]);
      const [made] = await change.rows<{ taskId: number }>(sql`insert into task (name, summary, input, activity_id, account_name)
        values ('madeUp.sign', ${how}, '{}', ${change.activityId}::bigint, ${account}) returning task_id`);
      return made!.taskId;
    };
  const madeUp: Module = {
    name: 'made-up',
    memberTasks: [
      {
        name: 'madeUp.sign',
        kind: 'Signing',
        page: 'Sign',
        bulk: true,
        items: {
          summarise: async () => ({ counts, failures: [{ message: 'No key', objects: 1 }] }),
          list: async () => ({ rows: [], total: 3 }),
          report: async () => ({ fileName: 'signed.csv', contentType: 'text/csv', chunks: (async function* () {})() }),
          skipPending: async () => undefined,
          retry: repeat('retry'),
          undo: repeat('undo'),
        },
      },
    ],
  };
  const activity = { action: 'test', summary: 'Signed', traceId: '0'.repeat(32), accountName: account };
  const type = taskType({
    // Its module is made up, so it has no words.
    name: 'madeUp.sign' as WordedActivity,
    summary: 'Signed 3 things',
    input: z.object({ mode: z.string() }),
    run: async () => ({ outcome: 'partial' }),
  });
  const taskId = await portal.db.change(activity, async change => {
    const id = await change.enqueue(type, { mode: 'atomic' });
    await change.rows(sql`update task set account_name = ${account}, state = 'completed', outcome = 'partial' where task_id = ${id}`);
    return id;
  });
  const someone: AdmittedAccount = {
    accountName: account,
    accountStatus: 'open',
    accountType: 'regular',
    nir: false,
    contactId: null,
    contactTypes: ['corporate'],
    permissions: new Set(['resources-view']),
    asStaff: false,
  };
  const { profile, config } = portal.context;
  const act = { account: someone, params: { taskId: String(taskId) }, registry: { profile, config, modules: [madeUp] } };
  const { rows } = await listTasks({ ...act, read: portal.db.read, query: { kind: 'bulk', limit: 10 } });
  expect(rows).toMatchObject([{ taskId, kind: 'Signing', link: `/task/MyRegistry/Sign/1/details?id=${taskId}` }]);
  expect(await getTask({ ...act, read: portal.db.read })).toMatchObject({
    counts,
    hasItems: true,
    mayRetry: true,
    mayRevert: true,
    failures: [{ message: 'No key' }],
  });
  for (const again of [retryTask, revertTask]) {
    const made = await portal.db.change(activity, change => again({ ...act, change }));
    expect(made.taskId).toBeGreaterThan(taskId);
    // The page of the new task is the one of its own kind.
    expect(made.link).toBe(`/task/MyRegistry/Sign/1/details?id=${made.taskId}`);
  }
  expect(calls).toEqual([
    ['retry', taskId, 'atomic'],
    ['undo', taskId, 'atomic'],
  ]);
  // Without a module that declares the kind the task does not exist.
  const { data } = await corin(api.tasks.getTask, { account, taskId: String(taskId) });
  expect(data).toBeUndefined();
});
