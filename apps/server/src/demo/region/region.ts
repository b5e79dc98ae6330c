import { isDeepStrictEqual } from 'node:util';
import { dayIn } from '@portal/contract/days';
import { sql } from 'kysely';
import { modules } from '../../modules.ts';
import { openFileStore } from '../../modules/documents/index.ts';
import { type ActivityInfo, type Database, migrate } from '../../platform/database/index.ts';
import type { Region, RegionPlan, RegionStage } from '../../platform/demo.ts';
import { type DemoOptions, ensureDemo } from '../registry.ts';
import { randomOf } from './random.ts';

/** A region that is not made, in one sentence. */
export class RegionRefused extends Error {}

type Size = Omit<RegionPlan, 'today'>;

/** Returns the size of a region: in proportion to the number of its accounts, except for what is given. */
export const sizeOfRegion = ({ accounts, seed, ...given }: Pick<Size, 'accounts'> & Partial<Size>): Size => ({
  seed: seed ?? 1,
  accounts,
  objects: given.objects ?? accounts * 78,
  zones: given.zones ?? Math.round(accounts * 3.1),
  tickets: given.tickets ?? Math.round(accounts * 15.5),
  activities: given.activities ?? accounts * 78,
});

export type RegionReport = { stages: { title: string; rows: number; seconds: number; resumed: boolean }[]; seconds: number };

type Options = Omit<DemoOptions, 'store'> &
  Pick<Region, 'statistics' | 'announcements'> & {
    size: Size;
    onProgress?: (title: string, done: number, total: number) => void;
  };

const line = (stage: string, summary: string): ActivityInfo => ({ action: `demo.region.${stage}`, summary, traceId: '0'.repeat(32) });

/** Reads from the activity log how the region was begun, and the parts of each stage that are done; `null` among them for all. */
async function recordOf(db: Database): Promise<{ plan: RegionPlan | null; done: Map<string, Set<number | null>> }> {
  const rows = await db.read.rows<{ details: { plan?: RegionPlan; stage?: string; part?: number | null } }>(
    sql`select details from activity where action like 'demo.region.%' and account_name is null and refusal is null order by activity_id`,
  );
  const done = new Map<string, Set<number | null>>();
  for (const { details } of rows)
    if (details.stage !== undefined) done.set(details.stage, (done.get(details.stage) ?? new Set()).add(details.part ?? null));
  return { plan: rows.find(({ details }) => details.plan)?.details.plan ?? null, done };
}

/** @throws RegionRefused for a database with accounts or people of a real registry, or with a region of another size */
async function refuseOther(db: Database, size: Size): Promise<RegionPlan | null> {
  const [found] = await db.read.rows<{
    demo: boolean;
    used: boolean;
  }>(sql`select exists (select from login where demo_role is not null) as demo,
    exists (select from account) or exists (select from login) as used`);
  if (found!.used && !found!.demo)
    throw new RegionRefused(
      'This database holds a registry that is no demo registry. A demo region is made in an empty database, or in one with the demo registry alone.',
    );
  const { plan } = await recordOf(db);
  if (plan !== null) {
    const { today: _, ...begun } = plan;
    if (!isDeepStrictEqual(begun, size))
      throw new RegionRefused(
        `A region of another size was begun here (${Object.keys(size)
          .map(name => `--${name} ${begun[name as keyof Size]}`)
          .join(' ')}). Go on with the same, or begin anew with "demo reset".`,
      );
    return plan;
  }
  const [imported] = await db.read.rows(sql`select from statistics_file limit 1`);
  if (imported)
    throw new RegionRefused('A statistics file was imported into this database. A demo region is made before anything is imported.');
  return null;
}

/** Rows of a stage after which plans made before it are no longer right. */
const MANY = 10_000;

const stagesOfModules = async (): Promise<readonly RegionStage[]> =>
  (await Promise.all(modules.map(async ({ demo }) => (await demo?.())?.regionStages ?? []))).flat();

/**
 * Makes a region of the size of a large registry around the demo registry: holders with their numbers, people, whois, routes, invoices, tickets and a log. Each part of it is one change
 * that also records that the part is done, so a run that was ended goes on where it was; the same plan makes the same rows.
 * @throws RegionRefused
 */
export async function makeRegion(
  db: Database,
  { size, statistics, announcements, onProgress, ...options }: Options,
): Promise<RegionReport> {
  const started = performance.now();
  await migrate(db);
  const { config, profile } = options;
  let plan = await refuseOther(db, size);
  const store = openFileStore(config.filesDir);
  await ensureDemo(db, { ...options, store });
  if (plan === null) {
    const begun: RegionPlan = { ...size, today: dayIn(profile.timeZone, options.today) };
    await db.change(line('begin', 'Began to make a demo region'), change => change.note({ plan: begun }));
    plan = begun;
  }
  const { seed } = plan;
  const region: Region = { db, config, profile, store, plan, statistics, announcements, random: name => randomOf(seed, name) };
  const { done } = await recordOf(db);
  const report: RegionReport = { stages: [], seconds: 0 };
  for (const stage of await stagesOfModules()) {
    const before = done.get(stage.name) ?? new Set();
    if (before.has(null)) continue;
    const begun = performance.now();
    const rows = await runStage(region, stage, { before, onProgress: (count, total) => onProgress?.(stage.title, count, total) });
    await db.change(
      line(stage.name, `${stage.title} are made`),
      async change => {
        await change.note({ stage: stage.name, part: null, rows });
        // Without statistics of what was just written, the plans of the next stage are guesses.
        if (rows > MANY) await change.rows(sql`analyze`);
      },
      { timeout: 0 },
    );
    report.stages.push({ title: stage.title, rows, seconds: (performance.now() - begun) / 1_000, resumed: before.size > 0 });
  }
  if (report.stages.length > 0) await db.change(line('end', 'Made a demo region'), change => change.rows(sql`analyze`), { timeout: 0 });
  report.seconds = (performance.now() - started) / 1_000;
  return report;
}

async function runStage(
  region: Region,
  stage: RegionStage,
  { before, onProgress }: { before: ReadonlySet<number | null>; onProgress: (done: number, total: number) => void },
): Promise<number> {
  if ('work' in stage) {
    const written = await stage.work(region, onProgress);
    onProgress(written, written);
    return written;
  }
  const parts = await stage.parts(region);
  let rows = 0;
  for (const [part, write] of parts.entries()) {
    if (!before.has(part))
      rows += await region.db.change(
        line(stage.name, `${stage.title}, part ${part + 1} of ${parts.length}`),
        async change => {
          const written = await write(change);
          await change.note({ stage: stage.name, part, rows: written });
          return written;
        },
        { timeout: 0 },
      );
    onProgress(part + 1, parts.length);
  }
  return rows;
}
