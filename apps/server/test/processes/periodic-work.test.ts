import { SECOND_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { describe, expect, test, vi } from 'vitest';
import { openDatabase } from '../../src/platform/database/index.ts';
import type { ModuleContext, PeriodicWork } from '../../src/platform/module.ts';
import { bringBackFutureJobs, enqueueDueWork, metricsOfWork, periodicHandler, statesOfWork } from '../../src/platform/periodic-work.ts';
import { startWorker } from '../../src/platform/worker.ts';
import { kinds, testPortal } from '../portal.ts';

const start = new Date('2030-01-01T00:00:00Z');
const after = (seconds: number): Date => new Date(start.getTime() + seconds * SECOND_MS);

const jobsOf = async ({ db }: Pick<ModuleContext, 'db'>, name: string): Promise<number> => {
  const jobs = await db.read.rows(sql`select id from graphile_worker.jobs where task_identifier = ${name}`);
  return jobs.length;
};

/** Makes the test's workers start waiting work immediately. */
const skipDelay = ({ db }: Pick<ModuleContext, 'db'>) =>
  sql`update graphile_worker._private_jobs set run_at = now()`.execute(db.unrecorded);

const succeededAt = async ({ db }: Pick<ModuleContext, 'db'>, name: string): Promise<string | null> => {
  const row = await db.read.selectFrom('periodicWork').select('succeededAt').where('name', '=', name).executeTakeFirst();
  return row?.succeededAt ?? null;
};

describe.each(kinds)('periodic work on %s', kind => {
  test('is done every period by a worker that is restarted every 20 seconds, and not more often', async () => {
    await using portal = await testPortal(kind);
    const begun: number[] = [];
    const schedule: PeriodicWork[] = [
      {
        name: 'test.publish',
        every: 1,
        run: async ({ clock }) => {
          begun.push((clock().getTime() - start.getTime()) / 1000);
        },
      },
    ];
    for (let seconds = 0; seconds <= 180; seconds += 20) {
      const context = { ...portal.context, clock: () => after(seconds) };
      await enqueueDueWork(portal.db, schedule, { now: context.clock() });
      if ((await jobsOf(portal, 'test.publish')) === 0) continue;
      await skipDelay(portal);
      const worker = await startWorker(context, { tasks: [], schedule });
      await expect.poll(() => succeededAt(portal, 'test.publish'), { timeout: 20_000, interval: 5 }).toBe(after(seconds).toISOString());
      await worker.stop();
    }
    expect(begun).toEqual([0, 60, 120, 180]);
  });

  test('that fails is retried, reports the reason, and is late after a long time without success', async () => {
    await using portal = await testPortal(kind);
    const answers = [new Error('The mail server does not answer.'), null];
    const work: PeriodicWork = {
      name: 'test.fails',
      every: 10,
      run: async () => {
        const answer = answers.shift();
        if (answer) throw answer;
      },
    };
    const state = async (now: Date) => (await statesOfWork(portal.db.read, [work], now))[0];
    const run = periodicHandler({ ...portal.context, clock: () => start }, work);
    expect(await state(start)).toMatchObject({ succeededAt: null, failure: null, late: false });
    await enqueueDueWork(portal.db, [work], { now: start });

    await expect(run()).rejects.toThrow('does not answer');
    expect(await state(after(25 * 60))).toMatchObject({ succeededAt: null, failure: 'The mail server does not answer.', late: false });
    expect(await state(after(25 * 60 + 1))).toMatchObject({ late: true });

    await run();
    expect(await state(after(25 * 60))).toMatchObject({ succeededAt: start.toISOString(), failure: null, late: false });
    const late = await state(after(26 * 60));
    expect(metricsOfWork([late!])).toEqual([
      '# TYPE periodic_work_last_success_seconds gauge',
      `periodic_work_last_success_seconds{work="test.fails"} ${start.getTime() / 1000}`,
      '# TYPE periodic_work_late gauge',
      'periodic_work_late{work="test.fails"} 1',
    ]);
  });

  test('that was done in the future, while the clock was wrong, is due, and named until it is done again', async () => {
    await using portal = await testPortal(kind);
    const work: PeriodicWork = { name: 'test.ahead', every: 60, run: async () => {} };
    const ahead = after(365 * 24 * 3600);
    await enqueueDueWork(portal.db, [work], { now: ahead });
    await periodicHandler({ ...portal.context, clock: () => ahead }, work)();
    await sql`delete from graphile_worker._private_jobs`.execute(portal.db.unrecorded);
    expect((await statesOfWork(portal.db.read, [work], start))[0]).toMatchObject({ late: true, succeededAt: ahead.toISOString() });

    await enqueueDueWork(portal.db, [work], { now: start });
    expect(await jobsOf(portal, 'test.ahead')).toBe(1);
    await periodicHandler({ ...portal.context, clock: () => start }, work)();
    expect((await statesOfWork(portal.db.read, [work], start))[0]).toMatchObject({ late: false });
    await enqueueDueWork(portal.db, [work], { now: after(3500) });
    expect(await jobsOf(portal, 'test.ahead')).toBe(1);
  });

  test('jobs that were planned while the clock was ahead are due now', async () => {
    await using portal = await testPortal(kind);
    await enqueueDueWork(portal.db, [{ name: 'test.ahead', every: 60, run: async () => {} }], { now: start });
    await sql`update graphile_worker._private_jobs set created_at = now() + interval '1 year', run_at = now() + interval '1 year'`.execute(
      portal.db.unrecorded,
    );
    expect(await bringBackFutureJobs(portal.db)).toBe(1);
    expect(await bringBackFutureJobs(portal.db)).toBe(0);
    const [job] = await portal.db.read.rows<{ due: boolean }>(sql`select run_at <= now() as due from graphile_worker._private_jobs`);
    expect(job).toEqual({ due: true });
  });

  test('continues from what its last run noted', async () => {
    await using portal = await testPortal(kind);
    const given: unknown[] = [];
    const work: PeriodicWork = {
      name: 'test.notes',
      every: 1,
      run: async (_context, noted) => {
        given.push(noted);
        return { position: given.length };
      },
    };
    await enqueueDueWork(portal.db, [work], { now: start });
    const run = periodicHandler(portal.context, work);
    await run();
    await run();
    expect(given).toEqual([null, { position: 1 }]);
  });

  test('that is late is named by /readyz?role=worker, with its failure, and takes no other role out', async () => {
    await using portal = await testPortal(kind);
    const readiness = async (role: string) => {
      const answer = await portal.request(`/readyz${role}`);
      return { status: answer.status, text: await answer.text() };
    };
    expect(await readiness('?role=worker')).toMatchObject({ status: 200 });
    await sql`insert into periodic_work (name, known_since, failed_at, failure)
      values ('platform.sealActivities', now() - interval '1 day', now(), 'The disk is full.')`.execute(portal.db.unrecorded);
    expect(await readiness('?role=worker')).toEqual({
      status: 503,
      text: expect.stringContaining('platform.sealActivities is late, last done never: The disk is full.'),
    });
    for (const role of ['', '?role=web']) expect((await readiness(role)).status, role).toBe(200);
  });

  test('of modules and of the platform is in /metrics, each with its last success', async () => {
    await using portal = await testPortal(kind);
    const metrics = await (await portal.request('/metrics')).text();
    for (const name of ['platform.sealActivities', 'mirrors.publishNrtm', 'billing.runBillingSchedule']) {
      expect(metrics).toContain(`periodic_work_last_success_seconds{work="${name}"} 0\n`);
      expect(metrics).toContain(`periodic_work_late{work="${name}"} 0\n`);
    }
  });
});

describe.runIf(kinds.includes('postgres'))('two workers on one PostgreSQL', () => {
  test('that start at the same instant do the work once, and no worker does it twice at a time', async () => {
    await using portal = await testPortal('postgres');
    const second = await openDatabase({ url: portal.url, pools: { reader: 4, writer: 5 } });
    try {
      let runs = 0;
      let atOnce = 0;
      const release = Promise.withResolvers<void>();
      const work: PeriodicWork = {
        name: 'test.once',
        every: 60,
        run: async () => {
          runs++;
          atOnce++;
          expect(atOnce).toBe(1);
          if (runs === 1) await release.promise;
          atOnce--;
        },
      };
      const contexts = [portal.context, { ...portal.context, db: second }];
      await Promise.all(contexts.map(({ db }) => enqueueDueWork(db, [work], { now: new Date() })));
      expect(await jobsOf(portal, 'test.once')).toBe(1);
      await skipDelay(portal);
      const workers = await Promise.all(contexts.map(context => startWorker(context, { tasks: [], schedule: [work] })));
      await expect.poll(() => runs, { timeout: 20_000, interval: 5 }).toBe(1);
      // The next turn comes while the first is under way: it waits, whichever worker is free.
      await sql`select graphile_worker.add_job('test.once', queue_name => 'test.once', job_key => 'test.once')`.execute(second.unrecorded);
      await sql`select graphile_worker.add_job('test.once', queue_name => 'test.once', job_key => 'test.once')`.execute(second.unrecorded);
      expect(await jobsOf(portal, 'test.once')).toBe(2);
      release.resolve();
      await expect.poll(() => jobsOf(portal, 'test.once'), { timeout: 20_000, interval: 5 }).toBe(0);
      expect(runs).toBe(2);
      await Promise.all(workers.map(worker => worker.stop()));
    } finally {
      await second.close();
    }
  });

  test('do the work of each due time once, whichever of them schedules it', async () => {
    await using portal = await testPortal('postgres');
    const second = await openDatabase({ url: portal.url, pools: { reader: 4, writer: 5 } });
    const runs: string[] = [];
    const schedule = ([1, 2, 60] as const).map((every): PeriodicWork => {
      const name = `test.every${every}`;
      return { name, every, run: async ({ clock }) => void runs.push(`${clock().toISOString().slice(11, 16)} ${name}`) };
    });
    const goTo = (time: string) => vi.setSystemTime(`2020-01-01T${time}:00Z`);
    try {
      goTo('00:57');
      await sql`insert into periodic_work (name, known_since, begun_at)
        select unnest(${schedule.map(({ name }) => name)}::text[]), ${new Date()}, ${new Date()}`.execute(portal.db.unrecorded);
      const context = { ...portal.context, clock: () => new Date() };
      const workers = await Promise.all([portal.db, second].map(db => startWorker({ ...context, db }, { tasks: [], schedule })));
      const expected = new Set<string>();
      for (const [time, due] of [
        ['00:58', [1]],
        ['00:59', [1, 2]],
        ['01:00', [1]],
        ['01:01', [1, 2]],
        ['01:57', [1, 2, 60]],
      ] as const) {
        goTo(time);
        // Both look, as workers do twice a minute.
        await Promise.all([portal.db, second].map(db => enqueueDueWork(db, schedule, { now: new Date() })));
        for (const every of due) expected.add(`${time} test.every${every}`);
        await expect.poll(() => new Set(runs), { timeout: 20_000, interval: 5 }).toEqual(expected);
      }
      await Promise.all(workers.map(worker => worker.stop()));
      expect(runs.toSorted()).toEqual([...expected].toSorted());
      expect(await Promise.all(schedule.map(({ name }) => jobsOf(portal, name)))).toEqual([0, 0, 0]);
    } finally {
      vi.useRealTimers();
      await second.close();
    }
  });
});
