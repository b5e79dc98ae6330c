import { readConfig } from '../apps/server/src/config.ts';
import { copyDatabase } from '../apps/server/src/platform/database/index.ts';
import { createLog } from '../apps/server/src/platform/log.ts';
import { openConfiguredDatabase } from '../apps/server/src/serve.ts';

const usage = 'npm run db:copy -- postgres://…   copies the database of the settings into an empty one; stop the server first';

/** `npm run db:copy -- TARGET`: from the embedded database to a PostgreSQL server, or from one server to another. */
async function copy([target]: readonly string[]): Promise<void> {
  if (!target || target === '--help') return console.log(usage);
  if (!/^postgres(ql)?:\/\//.test(target))
    throw new Error(`"${target}" is not an address of a PostgreSQL server (postgres://user@host/database).`);
  const config = readConfig(process.env);
  const source = await openConfiguredDatabase(config, createLog(config.logLevel));
  try {
    const { tables, rows } = await copyDatabase(source, target);
    console.log(
      `Copied ${rows.toLocaleString('en')} rows in ${tables.length} tables; both sides were compared. Set DATABASE_URL to the new address.`,
    );
  } finally {
    await source.close();
  }
}

copy(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
