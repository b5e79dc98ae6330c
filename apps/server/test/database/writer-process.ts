import { sql } from 'kysely';
import { migrate, openDatabase } from '../../src/platform/database/index.ts';

/*
 * A process for tests to kill: opens the database in a given folder, writes one row per change and prints its number once acknowledged, until it is
 * killed. The parent reads standard output.
 */
const [, , folder = ''] = process.argv;
const database = await openDatabase({ url: folder });
await migrate(database, { through: '0001_platform.sql' });
await database.pool.query('create table if not exists written (n int primary key)');
for (let n = 1; ; n++) {
  await database.change({ action: 'test', summary: 'Test', traceId: '0'.repeat(32) }, async change => {
    await change.rows(sql`insert into written values (${n})`);
  });
  process.stdout.write(`${n}\n`);
}
