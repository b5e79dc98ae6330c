import { PassThrough, Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { sql } from 'kysely';
import type { Region, RegionStage } from '../../platform/demo.ts';
import { exampleStatistics } from './statistics/example-statistics.ts';
import { exportStatistics } from './statistics/export-statistics.ts';
import { importStatistics } from './statistics/import-statistics.ts';
import { thinnedStatistics } from './statistics/region-statistics.ts';

/** The records of what the demo registry holds: a file that left them out would close its delegations. */
async function demoRecords({ db, profile, plan }: Region): Promise<string> {
  const out = new PassThrough();
  const written = textOf(out);
  await exportStatistics(db, {
    registry: profile.statisticsRegistry,
    ownRegistry: profile.statisticsRegistry,
    format: 'delegated-extended',
    date: plan.today,
    out,
  });
  out.end();
  const lines = (await written).split('\n');
  return lines.filter(line => line.split('|').length >= 7 && !/^[\d.]+\|/.test(line)).join('\n');
}

/** Holders and their numbers: those of the region's statistics file, or made up. They become this registry's own. */
const holders: RegionStage = {
  name: 'holders',
  title: 'Holders',
  work: async (region, onProgress) => {
    const { db, profile, plan, statistics, random } = region;
    const [imported] = await db.read.rows(sql`select from statistics_file where registry = ''`);
    if (imported) return 0;
    const registry = profile.statisticsRegistry;
    const text =
      statistics === null
        ? exampleStatistics(plan.accounts, registry)
        : thinnedStatistics(statistics, { registry, holders: plan.accounts, random: random('holders') });
    const { accounts, delegations } = await importStatistics(db, {
      from: Readable.from([Buffer.from(`${text}${await demoRecords(region)}\n`, 'latin1')]),
      ownRegistry: registry,
      policy: profile,
      acceptWrongSummary: true,
      skipRefused: true,
      onProgress: ({ done, total }) => onProgress(done, total ?? 0),
    });
    return accounts.opened + delegations.added;
  },
};

export const regionStages: readonly RegionStage[] = [holders];
