import type { QueryOf } from '@portal/contract';
import { api } from '@portal/contract/api';
import type { tasks } from '@portal/contract/tasks/tasks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testPortal, type TestPortal } from '../../../test/portal.ts';

const account = 'EXAMPLE-AU';
let portal: TestPortal;
let corin: Awaited<ReturnType<TestPortal['as']>>;
let trial: number;
beforeAll(async () => {
  portal = await testPortal();
  corin = await portal.as('corin');
  const stella = await portal.as('stella');
  for (const message of ['one', 'two', 'three'])
    await stella(api.tasks.echo, { body: { accountName: account, message, fail: message === 'three' } });
  await portal.runTasks();
  const text = Array.from({ length: 501 }, () => 'route: 198.18.0.0/24\norigin: AS64500\nsource: EXAMPLE\n').join('\n');
  trial = (await corin(api.whois.uploadText, { account, body: { text, dryRun: true } })).data!.taskId!;
  // A while ago, for those who look for a day.
  await portal.db.unrecorded.updateTable('task').set({ createdAt: '2026-01-05T23:30:00Z' }).where('taskId', '=', trial).execute();
});
afterAll(() => portal[Symbol.asyncDispose]());

type Query = Partial<QueryOf<typeof tasks.listTasks>>;
const list = async (query: Query) => (await corin(api.tasks.listTasks, { account, query })).data!;

describe('the tasks of an account', () => {
  test('are found by state, outcome, kind, person and day, and say what every other choice would leave', async () => {
    const all = await list({});
    expect(all.total).toBe(4);
    expect(all.facets).toMatchObject({
      names: [
        { value: 'whois.modifyObjects', tasks: 1 },
        { value: 'whois.echo', tasks: 3 },
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
    // The others of the same filter stay to be chosen; other filters tell what is left of them.
    expect(failed.facets.outcomes).toEqual(all.facets.outcomes);
    expect(failed.facets.names).toEqual([{ value: 'whois.echo', tasks: 1 }]);
    const own = all.facets.people.find(({ name }) => name === 'Corin Achterberg')!.value;
    expect((await list({ person: own })).rows).toMatchObject([{ taskId: trial, mine: true }]);
    expect((await list({ person: 'registry', state: 'queued' })).rows).toEqual([]);
    expect((await list({ name: 'whois.echo', limit: 2 })).more).toBe(true);
    expect(await list({ kind: 'bulk' })).toMatchObject({ total: 1, facets: { names: [{ value: 'whois.modifyObjects' }] } });
    const day = await list({ from: '2026-01-05', to: '2026-01-05' });
    expect(day.rows.map(({ taskId }) => taskId)).toEqual([trial]);
    expect((await list({ to: '2026-01-04' })).total).toBe(0);
    expect((await list({ from: '2026-01-06' })).total).toBe(3);
  });

  test('of one’s own only, for who may not see resources', async () => {
    const bill = await portal.as('bill');
    const { data } = await bill(api.tasks.listTasks, { account });
    expect(data).toMatchObject({ rows: [], total: 0, facets: { names: [], states: [], outcomes: [], people: [] } });
  });

  test('are exported as they are narrowed', async () => {
    const headers = { authorization: `Bearer ${await portal.tokenOf('corin')}` };
    const file = await portal.request(`/api/${account}/tasks-export?format=csv&name=whois.echo&outcome=success`, { headers });
    const lines = (await file.text()).trim().split(/\r?\n/);
    expect(lines[0]).toBe('task,kind,summary,state,outcome,startedBy,createdAt,startedAt,finishedAt,itemsDone,itemsTotal');
    expect(lines.slice(1).map(line => line.split(',').slice(1, 6).join())).toEqual([
      'whois.echo,Echo: two,completed,success,The registry',
      'whois.echo,Echo: one,completed,success,The registry',
    ]);
  });

  test('are not looked for by what is no person', async () => {
    const { errors } = await corin(api.tasks.listTasks, { account, query: { person: 'tess' } });
    expect(errors?.[0]?.code).toBe('INVALID_REQUEST');
  });
});
