import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { exampleStatistics } from '../../../apps/server/src/modules/resources/index.ts';

export type StatisticsFile = { file: string; about: string };

/** The statistics file of the benchmarks: the one STATISTICS_FILE names, else a made-up one written to the folder. */
export async function statisticsFile(folder: string): Promise<StatisticsFile> {
  const given = process.env.STATISTICS_FILE;
  if (given) {
    const bytes = readFileSync(given);
    const text = (given.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1');
    return { file: given, about: `${path.basename(given)}, ${text.split('\n').length.toLocaleString('en')} lines` };
  }
  const text = exampleStatistics(12_800);
  const file = path.join(folder, 'delegated-example-extended');
  await writeFile(file, text);
  return {
    file,
    about: `made-up delegated-extended file, ${text.split('\n').length.toLocaleString('en')} lines (STATISTICS_FILE names another)`,
  };
}
