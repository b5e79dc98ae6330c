import { MINUTE_MS } from '@portal/contract/days';
import type { Pool } from 'pg';

/** How often the sizes of tables are looked at, in ms. */
const EVERY_MS = 5 * MINUTE_MS;
/** Pages of a table that any plan reads quickly. */
const SMALL = 16;
/** Values that are looked at for each column: so few that no one waits for it. */
const TARGET = 10;

const GROWN = `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')
    and pg_relation_size(c.oid) / current_setting('block_size')::int > 2 * greatest(c.relpages, ${SMALL}) order by 1`;

/** Gathers statistics of the tables that are twice as large as at the last time. Plans that are kept for statements are made anew then. Returns the names of those tables. */
export async function gatherStatistics(pool: Pick<Pool, 'query'>): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(GROWN);
  for (const { name } of rows) await pool.query(`begin; set local default_statistics_target = ${TARGET}; analyze ${name}; commit`);
  return rows.map(({ name }) => name);
}

/** Does so every few minutes: the embedded database has no autovacuum. Returns what ends it. @param onError called with what went wrong */
export function keepStatistics(pool: Pick<Pool, 'query'>, onError: (error: Error) => void): () => Promise<void> {
  let underWay: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    underWay = gatherStatistics(pool).catch(onError);
  }, EVERY_MS);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await underWay;
  };
}
