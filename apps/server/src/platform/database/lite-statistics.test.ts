import { expect, test } from 'vitest';
import { emptyDatabase } from '../../../test/database/migrated-database.ts';
import { gatherStatistics } from './lite-statistics.ts';

test('a table that grew is looked at once, and again when it is twice as large', async () => {
  await using empty = await emptyDatabase('embedded');
  const { pool } = empty.database;
  await pool.query('create table "Small one" as select n from generate_series(1, 100) n');
  await pool.query('create table grown as select n, repeat(md5(n::text), 10) as text from generate_series(1, 2000) n');
  const rows = async (): Promise<number> =>
    (await pool.query<{ reltuples: number }>(`select reltuples::int from pg_class where relname = 'grown'`)).rows[0]!.reltuples;
  expect(await rows()).toBe(-1);
  expect(await gatherStatistics(pool)).toEqual(['public.grown']);
  expect(await rows()).toBe(2000);
  expect(await gatherStatistics(pool)).toEqual([]);
  await pool.query('insert into grown select * from grown union all select * from grown');
  expect(await gatherStatistics(pool)).toEqual(['public.grown']);
  expect(await rows()).toBe(6000);
  expect((await pool.query<{ target: string }>(`select current_setting('default_statistics_target') as target`)).rows).toEqual([
    { target: '100' },
  ]);
});
