import { pg } from '../data/portal-data.ts';
import { throwawayPostgres } from '../../../apps/server/test/database/throwaway-postgres.ts';
import type { Figure } from '../figures/bench.ts';
import { runCommand, temporaryFolder } from './program.ts';

/**
 * Measures something that changes what it finds: on a copy of the region that `REGION_URL` names (registry demo region), which is removed afterwards, else on a region of
 * 100 accounts. @param measured gets the address of the database
 */
export async function onRegion(measured: (url: string) => Promise<Figure[]>, what: string): Promise<Figure[]> {
  const given = process.env.REGION_URL;
  if (given) return onCopyOf(given, measured);
  const { server, reason } = await throwawayPostgres();
  if (!server) return [{ what, value: `not measured: ${reason}` }];
  await using temporary = temporaryFolder();
  const database = await server.createDatabase();
  try {
    await runCommand(['demo', 'region'], { DATA_DIR: temporary.folder, DATABASE_URL: database.url });
    return await measured(database.url);
  } finally {
    await database.drop();
  }
}

/** The server makes a copy of a database to which no one is connected. */
async function onCopyOf(url: string, measured: (url: string) => Promise<Figure[]>): Promise<Figure[]> {
  const name = decodeURIComponent(new URL(url).pathname.slice(1));
  const [copy, onServer] = [new URL(url), new URL(url)];
  copy.pathname = `/${name}_copy`;
  onServer.pathname = '/postgres';
  const client = new pg.Client({ connectionString: onServer.href });
  await client.connect();
  const [from, to] = [pg.escapeIdentifier(name), pg.escapeIdentifier(`${name}_copy`)];
  const drop = (): Promise<unknown> => client.query(`drop database if exists ${to} with (force)`);
  try {
    await drop();
    await client.query(`create database ${to} template ${from} strategy file_copy`);
    return await measured(copy.href);
  } finally {
    await drop();
    await client.end();
  }
}
