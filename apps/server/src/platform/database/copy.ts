import { type BallotsKept, readBallotBox, replaceBallotBox } from './ballot-box.ts';
import { connectionsOf, type Database, openDatabase } from './database.ts';
import type { TableProgress } from './backup.ts';
import { migrate, MIGRATIONS, migrationStatus } from './migrations.ts';
import {
  addJob,
  contentsOf,
  insertRows,
  replaceRows,
  rowsOf,
  sequencesOf,
  setSequences,
  storedTables,
  summarise,
  type TableSummary,
  waitingJobs,
} from './stored-tables.ts';

export interface CopySummary {
  tables: TableSummary[];
  rows: number;
  ballots: BallotsKept;
}

/**
 * Copies a consistent snapshot of the database to another one of either kind, and verifies it: row count and hash of every table are compared before
 * the copy is committed. Creates the target's tables. Refuses a target that has rows.
 */
export async function copyDatabase(
  source: Database,
  targetUrl: string,
  { onProgress = () => {}, folder = MIGRATIONS }: { onProgress?: TableProgress; folder?: string } = {},
): Promise<CopySummary> {
  const { pending } = await migrationStatus(source, folder);
  if (pending.length > 0) throw new Error(`The database to copy lacks ${pending.join(', ')}; migrate it first.`);
  const target = await openDatabase({ url: targetUrl });
  try {
    return await copyInto(source, target, folder, onProgress);
  } finally {
    await target.close();
  }
}

async function copyInto(source: Database, target: Database, folder: string, onProgress: TableProgress): Promise<CopySummary> {
  const to = await connectionsOf(target).dedicated();
  try {
    if ((await contentsOf(to)) === 'rows') throw new Error('The target is not empty; name an empty database.');
    await migrate(target, { folder });
    const from = await connectionsOf(source).dedicated();
    try {
      await from.query('begin isolation level repeatable read read only');
      await to.query('begin');
      const tables: TableSummary[] = [];
      await replaceRows(to, async stored => {
        for (const table of await storedTables(from)) {
          if (!stored.some(({ name }) => name === table.name)) throw new Error(`The target has no table ${table.name}.`);
          let rows = 0;
          for await (const lines of rowsOf(from, table)) {
            await insertRows(to, table, lines);
            rows += lines.length;
            onProgress(table.name, rows);
          }
          const [original, copied] = [await summarise(from, table), await summarise(to, table)];
          if (original.rows !== copied.rows || original.hash !== copied.hash)
            throw new Error(
              `The copy of ${table.name} is not equal: ${original.rows} rows ${original.hash}, ${copied.rows} rows ${copied.hash}.`,
            );
          tables.push(copied);
        }
        await setSequences(to, await sequencesOf(from));
        for (const job of await waitingJobs(from)) await addJob(to, job);
      });
      const box = await readBallotBox(from);
      await replaceBallotBox(to, box.ballots ?? []);
      await to.query('commit');
      return {
        ballots: { count: box.count, kept: box.ballots !== null || box.count === 0 },
        tables,
        rows: tables.reduce((sum, { rows }) => sum + rows, 0),
      };
    } catch (error) {
      await to.query('rollback').catch(() => {});
      throw error;
    } finally {
      await from.end();
    }
  } finally {
    await to.end();
  }
}
