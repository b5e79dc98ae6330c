import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { api } from '@portal/contract/api';
import { taskHandler, taskType } from '../../src/platform/tasks.ts';
import {
  doRound,
  doUnit,
  doUnits,
  failAtWork,
  SetAside,
  setAsideUnits,
  unitProgressed,
  unitProblems,
} from '../../src/platform/work-units.ts';
import { kinds, testPortal } from '../portal.ts';

const unit = { queue: 'test', unit: '7', title: 'A message', accountName: null };
/** Leaves the mark that a process leaves when it ends in the middle of the work. */
const begunByAnEndedProcess = (portal: Awaited<ReturnType<typeof testPortal>>) =>
  sql`insert into work_unit as known (queue, unit, title, begun_at, progressed_at) values ('test', '7', 'A message', now(), now())
    on conflict (queue, unit) do update set begun_at = now()`.execute(portal.db.unrecorded);

describe.each(kinds)('work that ends its process, on %s', kind => {
  test('is tried a second time, then set aside and named, and nothing of it is left when it succeeds', async () => {
    await using portal = await testPortal(kind);
    const { context } = portal;
    await begunByAnEndedProcess(portal);
    expect(await doUnit(context, unit, async () => 'done')).toBe('done');
    expect(await portal.db.read.rows(sql`select 1 from work_unit where queue = 'test'`)).toEqual([]);

    await begunByAnEndedProcess(portal);
    await expect(
      doUnit(context, unit, async () => {
        await begunByAnEndedProcess(portal);
        throw new Error('as if the process had ended here');
      }),
    ).rejects.toThrow('as if');
    // An ordinary failure is no danger: the mark is gone.
    expect(await setAsideUnits(portal.db.read)).toEqual([]);
    await sql`insert into work_unit (queue, unit, title, begun_at, progressed_at, ended_processes) values ('test', '7', 'A message', now(), now(), 1)`.execute(
      portal.db.unrecorded,
    );
    let begun = 0;
    const again = () => doUnit(context, unit, async () => void begun++);
    await expect(again()).rejects.toThrow(SetAside);
    await expect(again()).rejects.toThrow('was set aside');
    expect(begun).toBe(0);
    expect((await unitProblems(portal.db.read)).join()).toContain('A message (test 7) was set aside');
    const readiness = await portal.request('/readyz?role=worker');
    expect([readiness.status, await readiness.text()]).toEqual([503, expect.stringContaining('A message (test 7) was set aside')]);
  });

  test('got further in between: it is not blamed for what is behind it', async () => {
    await using portal = await testPortal(kind);
    const { context } = portal;
    for (let time = 0; time < 4; time++) {
      await begunByAnEndedProcess(portal);
      const pausing = Promise.withResolvers<void>();
      const going = doUnit(context, unit, async () => {
        await unitProgressed(portal.db);
        await pausing.promise;
      });
      await expect
        .poll(() => portal.db.read.rows(sql`select ended_processes as ended from work_unit where queue = 'test'`))
        .toEqual([{ ended: 0 }]);
      pausing.resolve();
      await going;
    }
    expect(await setAsideUnits(portal.db.read)).toEqual([]);
  });

  test('an exception that nothing awaits ends the unit it comes from, and the second time sets it aside', async () => {
    await using portal = await testPortal(kind);
    const { context } = portal;
    const thrown = (error: Error): Promise<void> =>
      doUnit(context, unit, async () => {
        // What the process does with an exception of a callback, in the context of what it came from.
        setImmediate(() => failAtWork(error));
        await new Promise<void>(() => {});
      });
    await expect(thrown(new Error('Port should be > 0'))).rejects.toThrow('Port should be > 0');
    await expect(thrown(new Error('Port should be > 0'))).rejects.toThrow('Port should be > 0');
    await expect(thrown(new Error('Port should be > 0'))).rejects.toThrow(SetAside);
    expect(await setAsideUnits(portal.db.read)).toMatchObject([{ endedProcesses: 2, sign: 'Port should be > 0' }]);
    expect(failAtWork(new Error('of nothing'))).toBe(false);
  });

  test('an exception that nothing awaits fails the round it comes from, and as often as it comes the next one begins', async () => {
    const round = (error: Error | null) =>
      doRound(async () => {
        if (error === null) return 'done';
        setImmediate(() => failAtWork(error));
        return new Promise<string>(() => {});
      });
    for (let time = 0; time < 3; time++) await expect(round(new Error('Port should be > 0'))).rejects.toThrow('Port should be > 0');
    expect(await round(null)).toBe('done');
  });

  test('one that hangs holds up neither other queues nor, for long, its own', async () => {
    await using portal = await testPortal(kind);
    const hanging = Promise.withResolvers<void>();
    const begun: string[] = [];
    const begin = async (queue: string, id: string, work: () => Promise<void>): Promise<void> => {
      await sql`insert into work_unit (queue, unit, title, begun_at, progressed_at) values (${queue}, ${id}, 'A message', now(), now())`.execute(
        portal.db.unrecorded,
      );
      return doUnit({ ...portal.context, aloneMs: 500 }, { ...unit, queue, unit: id }, async () => {
        begun.push(`${queue} ${id}`);
        await work();
      });
    };
    const first = begin('test', '1', () => hanging.promise);
    await expect.poll(() => begun).toEqual(['test 1']);
    const second = begin('test', '2', async () => {});
    await begin('other', '1', async () => {});
    expect(begun.slice(0, 2)).toEqual(['test 1', 'other 1']);
    await second;
    expect(begun).toEqual(['test 1', 'other 1', 'test 2']);
    hanging.resolve();
    await first;
  });

  test('of units done together each is suspected, then does its work alone, and the deadly one is set aside', async () => {
    await using portal = await testPortal(kind);
    const { context } = portal;
    const units = ['1', '2', '3'].map(id => ({ ...unit, unit: id }));
    const done: string[][] = [];
    /** Does what is left; 2 ends its process. */
    const round = () =>
      doUnits(
        context,
        units.filter(({ unit }) => !done.flat().includes(unit)),
        async given => {
          if (given.some(({ unit }) => unit === '2')) {
            setImmediate(() => failAtWork(new Error('Port should be > 0')));
            await new Promise<void>(() => {});
          }
          done.push(given.map(({ unit }) => unit));
        },
      );
    await expect(round()).rejects.toThrow('Port');
    await round();
    await expect(round()).rejects.toThrow('Port');
    await round();
    expect(done).toEqual([['1'], ['3']]);
    expect(await setAsideUnits(portal.db.read)).toMatchObject([{ unit: '2', endedProcesses: 2 }]);
    await round();
    expect(done).toEqual([['1'], ['3'], []]);
    expect(await portal.db.read.rows(sql`select unit from work_unit where queue = 'test'`)).toEqual([{ unit: '2' }]);

    await expect(doUnits(context, units.slice(2), () => Promise.reject(new Error('an ordinary failure')))).rejects.toThrow('ordinary');
    expect(await doUnits(context, units, async given => given.length)).toBe(2);
  });

  test('that gets no further for twenty minutes is named', async () => {
    await using portal = await testPortal(kind);
    const hanging = Promise.withResolvers<void>();
    const going = doUnit(portal.context, unit, () => hanging.promise);
    const problems = () => unitProblems(portal.db.read);
    await expect
      .poll(() => portal.db.read.rows(sql`select 1 from work_unit where queue = 'test' and begun_at is not null`))
      .toHaveLength(1);
    const since = (minutes: number) =>
      sql`update work_unit set progressed_at = now() - make_interval(mins => ${minutes}) where queue = 'test'`.execute(
        portal.db.unrecorded,
      );
    await since(19);
    expect(await problems()).toEqual([]);
    await since(21);
    expect(await problems()).toEqual([expect.stringMatching(/^A message \(test 7\) has been at work since .* without getting further$/)]);
    const readiness = await portal.request('/readyz?role=worker');
    expect([readiness.status, await readiness.text()]).toEqual([503, expect.stringContaining('without getting further')]);
    hanging.resolve();
    await going;
    expect(await problems()).toEqual([]);
  });

  test('a task that was set aside has failed for its members, and is tried again or dropped at the desk', async () => {
    await using portal = await testPortal(kind);
    let runs = 0;
    const type = taskType({ name: 'tasks.echo', summary: 'A dangerous task', input: z.object({}), run: async () => void runs++ });
    const taskId = await portal.db.change({ action: 'test', summary: 'Test', traceId: '0'.repeat(32) }, change => change.enqueue(type, {}));
    await sql`insert into work_unit (queue, unit, title, begun_at, progressed_at, ended_processes) values ('task', ${String(taskId)}, 'A dangerous task', now(), now(), 1)`.execute(
      portal.db.unrecorded,
    );
    const run = () => taskHandler(portal.context, type)({ taskId }, { job: { attempts: 2, max_attempts: 25 } as never });
    const state = async () =>
      (await portal.db.read.selectFrom('task').select(['state', 'outcome', 'error']).where('taskId', '=', taskId).execute())[0];
    await run();
    expect([runs, await state()]).toEqual([0, { state: 'completed', outcome: 'failed', error: expect.stringContaining('stopped twice') }]);

    const stella = await portal.as('stella');
    const listed = await stella(api.setAside.listSetAside, {});
    expect(listed.data!.rows).toMatchObject([
      { queue: 'task', queueName: 'Task', title: 'A dangerous task', endedProcesses: 2, mayDrop: true },
    ]);
    const body = { queue: 'task', unit: String(taskId) };
    // Who looks after other work neither sees it nor decides about it.
    const fiona = await portal.as('fiona');
    expect((await fiona(api.setAside.listSetAside, {})).data!.rows).toEqual([]);
    for (const act of [api.setAside.dropSetAside, api.setAside.retrySetAside])
      expect(await fiona(act, { body })).toMatchObject({
        status: 403,
        errors: [{ code: 'NO_STAFF_PERMISSION', message: expect.stringContaining('“Manage pools and ledger”') }],
      });
    expect((await (await portal.as('audra'))(api.setAside.listSetAside, {})).data!.rows).toHaveLength(1);
    expect((await stella(api.setAside.retrySetAside, { body })).errors).toBeUndefined();
    expect((await stella(api.setAside.retrySetAside, { body })).errors).toMatchObject([{ code: 'ALREADY_RESOLVED' }]);
    expect(await state()).toMatchObject({ state: 'queued', error: null });
    await run();
    expect([runs, await state()]).toMatchObject([1, { state: 'completed', outcome: 'success' }]);
    expect((await (await portal.as('corin'))(api.setAside.listSetAside, {})).errors).toMatchObject([{ code: 'NOT_FOUND' }]);
  });
});
