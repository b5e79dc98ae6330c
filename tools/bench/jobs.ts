import { setTimeout as pause } from 'node:timers/promises';
import { DAY_MS, SECOND_MS } from '@portal/contract/days';
import { sql } from 'kysely';
import { readConfig } from '../../apps/server/src/config.ts';
import { openContext } from '../../apps/server/src/context.ts';
import { modules } from '../../apps/server/src/modules.ts';
import { mintToken } from '../../apps/server/src/modules/identity/index.ts';
import { type Database, openDatabase } from '../../apps/server/src/platform/database/index.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import { periodicHandler, scheduleOf } from '../../apps/server/src/platform/periodic-work.ts';
import { startWorker } from '../../apps/server/src/platform/worker.ts';
import { readProfile } from '../../apps/server/src/profile.ts';
import { type Bench, type Figure, megabytes, milliseconds, percentile } from './figures/bench.ts';
import { type Clicks, startClicks } from './programs/clicks.ts';
import { address, memoryOf, port, startProgram, temporaryFolder } from './programs/program.ts';
import { onRegion } from './programs/region.ts';

/** A change of a member waits this long at most while a job runs, in ms: more looks like a page that hangs. */
const MAX_WAIT_MS = 1_000;
/** Renewals of a month, in s, with their files and mails. */
const RENEWALS = 1_000;
const RENEWALS_SECONDS = 180;
/** A job that takes longer is named and left to itself. */
const LIMIT_SECONDS = Number(process.env.BENCH_LIMIT_SECONDS ?? 900);
/** Jobs of at least so many seconds are listed, and those that kept someone waiting. */
const LISTED_SECONDS = 1;
const CLICKERS = ['corin', 'bill', 'tilda', 'nils', 'hana', 'max', 'tess'];

export const bench: Bench = {
  about:
    'each periodic work once, then renewals day by day until a thousand are issued, with files and mails, while members change something all the time: time, processor and memory of the job, and how long the members wait. On a copy of the region that REGION_URL names (registry demo region), else on one of 100 accounts',
  run: () => onRegion(measured, 'jobs'),
};

async function measured(url: string): Promise<Figure[]> {
  await using temporary = temporaryFolder();
  const environment = { DATA_DIR: temporary.folder, DATABASE_URL: url, DEMO: 'on' };
  const config = readConfig({ ...process.env, PORT: String(port), APP_URL: address, ...environment });
  const db = await openDatabase({ url });
  try {
    const tokens: Record<string, string> = {};
    for (const person of CLICKERS) tokens[person] = await mintToken(db, config, person, { mfa: true });
    await using _program = await startProgram({ ...environment, ROLES: 'web' });
    const clicks = startClicks(address, tokens);
    try {
      return await figuresOf(db, config, clicks);
    } finally {
      await clicks.end();
    }
  } finally {
    await db.close();
  }
}

async function figuresOf(db: Database, config: ReturnType<typeof readConfig>, clicks: Clicks): Promise<Figure[]> {
  let ahead = 0;
  const clock = (): Date => new Date(Date.now() + ahead);
  const context = openContext({ db, config, profile: readProfile(''), log: createLog('silent'), release: 'bench', clock });
  // Statements are planned and pages compiled, as on any other day.
  await pause(3 * SECOND_MS);
  await clicks.taken();
  await pause(10 * SECOND_MS);
  const alone = await clicks.taken();
  const figures: Figure[] = [{ what: 'changes of members, alone', value: waits(alone) }];
  const all: number[] = [];
  const runs: Run[] = [];
  try {
    for (const work of scheduleOf(modules)) {
      const run = await runOf(work.name, periodicHandler(context, work), clicks);
      runs.push(run);
      all.push(...run.clicks);
      if (run.problem === LEFT) break;
    }
    figures.push(...runs.filter(run => isListed(run)).map(figureOf), {
      what: `${runs.filter(run => !isListed(run)).length} other jobs`,
      value: `less than ${LISTED_SECONDS} s each`,
    });
    const tasks = modules.flatMap(module => module.tasks ?? []);
    /** Does something while a worker does tasks, and waits until none is left. */
    const withTasks = async (work: () => Promise<unknown>): Promise<void> => {
      const worker = await startWorker(context, { tasks, schedule: [] });
      try {
        await work();
        await untilNothingWaits(db);
      } finally {
        await worker.stop();
      }
    };
    const left = await waitingTasks(db);
    const mails = await runOf(`${left} mails and other tasks that they left`, () => withTasks(async () => {}), clicks);
    all.push(...mails.clicks);
    figures.push(figureOf(mails));
    const schedule = scheduleOf(modules).find(({ name }) => name === 'billing.runBillingSchedule')!;
    const invoices = async (): Promise<number> =>
      (await db.read.rows<{ n: number }>(sql`select count(*)::int as n from invoice where kind = 'renewal'`))[0]!.n;
    const before = await invoices();
    let issued = 0;
    const month = await runOf(
      'renewals',
      () =>
        withTasks(async () => {
          for (let day = 1; day <= 60 && issued < RENEWALS; day++) {
            ahead = day * DAY_MS;
            await periodicHandler(context, schedule)();
            issued = (await invoices()) - before;
          }
        }),
      clicks,
    );
    all.push(...month.clicks);
    const perThousand = (month.seconds / Math.max(issued, 1)) * RENEWALS;
    figures.push({
      ...figureOf(month),
      what: `renewals: ${issued} in ${ahead / DAY_MS} days, with files and mails`,
      budget: `${RENEWALS_SECONDS} s for ${RENEWALS}`,
      held: perThousand <= RENEWALS_SECONDS && month.problem === null,
    });
  } finally {
    await context.close();
  }
  figures.push({
    what: 'changes of members, beside all of them',
    value: waits(all),
    budget: `none over ${MAX_WAIT_MS} ms`,
    held: Math.max(...all) <= MAX_WAIT_MS,
  });
  return figures;
}

const LEFT = `not ended within ${LIMIT_SECONDS} s`;

type Run = { name: string; seconds: number; processor: number; peak: number; clicks: number[]; problem: string | null };

/** Runs a job while members change something. */
async function runOf(name: string, job: () => Promise<unknown>, clicks: Clicks): Promise<Run> {
  globalThis.gc?.();
  let peak = memoryOf(process.pid, 'VmRSS') ?? 0;
  const watch = setInterval(() => (peak = Math.max(peak, memoryOf(process.pid, 'VmRSS') ?? 0)), 100);
  await clicks.taken();
  const [began, used] = [performance.now(), process.cpuUsage()];
  const problem = await Promise.race([
    job().then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message.split('\n')[0]! : String(error)),
    ),
    pause(LIMIT_SECONDS * SECOND_MS, LEFT, { ref: false }),
  ]);
  const { user, system } = process.cpuUsage(used);
  clearInterval(watch);
  return {
    name,
    seconds: (performance.now() - began) / SECOND_MS,
    processor: (user + system) / 1_000_000,
    peak,
    clicks: await clicks.taken(),
    problem,
  };
}

const isListed = ({ seconds, clicks, problem }: Run): boolean =>
  seconds >= LISTED_SECONDS || problem !== null || Math.max(0, ...clicks) > MAX_WAIT_MS;

const figureOf = ({ name, seconds, processor, peak, clicks, problem }: Run): Figure => ({
  what: name,
  value: `${problem === null ? '' : `${problem}; `}${seconds.toFixed(1)} s, ${processor.toFixed(1)} s of processor, ${megabytes(peak)}; ${waits(clicks)}`,
});

const waits = (took: readonly number[]): string =>
  took.length === 0
    ? 'no change meanwhile'
    : `${took.length} changes: ${milliseconds(percentile(took, 0.5))} at the median, ${milliseconds(percentile(took, 0.95))}, ${milliseconds(Math.max(...took))} at most`;

/** Returns how many tasks wait or are at work. */
async function waitingTasks(db: Database): Promise<number> {
  const [row] = await db.read.rows<{ n: number }>(
    sql`select count(*)::int as n from graphile_worker.jobs where attempts < max_attempts and run_at <= now()`,
  );
  return row!.n;
}

async function untilNothingWaits(db: Database): Promise<void> {
  while ((await waitingTasks(db)) > 0) await pause(SECOND_MS / 2);
}
