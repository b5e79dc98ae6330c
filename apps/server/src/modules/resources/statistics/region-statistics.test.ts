import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { exampleStatistics } from './example-statistics.ts';
import { holdersIn, thinnedStatistics } from './region-statistics.ts';

test('a file of another registry becomes one of ours: the largest holders and some others, with all they hold', async () => {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'portal-statistics-'));
  const file = path.join(folder, 'delegated-other.gz');
  await fs.writeFile(file, gzipSync(exampleStatistics(60, 'other')));
  const all = holdersIn(file);
  const random = (below: number): number => below - 1;
  const holdersOf = (text: string) => Map.groupBy(text.trim().split('\n').slice(4), line => line.split('|')[7]!);
  const whole = holdersOf(thinnedStatistics(file, { registry: 'ours', holders: all, random }));
  const thinned = holdersOf(thinnedStatistics(file, { registry: 'ours', holders: 9, random }));
  await fs.rm(folder, { recursive: true });
  expect([whole.size, thinned.size]).toEqual([all, 9]);
  const largest = [...whole].toSorted(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1)).slice(0, 4);
  expect([...thinned.keys()].slice(0, 4)).toEqual(largest.map(([holder]) => holder));
  for (const [holder, lines] of thinned) expect(lines).toEqual(whole.get(holder));
  expect([...thinned.values()].flat().every(line => line.startsWith('ours|'))).toBe(true);
});
