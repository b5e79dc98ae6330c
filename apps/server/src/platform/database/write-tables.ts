import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openDatabase } from './database.ts';
import { migrate } from './migrations.ts';
import { describeTables } from './table-types.ts';

/** Writes tables.ts from a database in memory that has all migrations. Run with `node write-tables.ts` after adding one. */
async function writeTables(): Promise<void> {
  const database = await openDatabase({ url: 'memory://' });
  try {
    await migrate(database);
    await writeFile(path.join(import.meta.dirname, 'tables.ts'), await describeTables(database));
  } finally {
    await database.close();
  }
}

await writeTables();
