import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { type Database, type DatabaseOptions, migrate, openDatabase } from '../../src/platform/database/index.ts';
import { migrationFiles } from '../../src/platform/database/migrations.ts';
import { type TestDatabase, throwawayPostgres } from './throwaway-postgres.ts';

export type Kind = 'embedded' | 'postgres';

export interface TestCopy extends AsyncDisposable {
  database: Database;
  /** Address to open it a second time; of an embedded one there is none. */
  url: string;
}

export type Opened = Omit<DatabaseOptions, 'url' | 'snapshot'>;

const cached = new Map<string, Promise<unknown>>();
function once<T>(key: string, make: () => Promise<T>): Promise<T> {
  const known = cached.get(key) ?? make();
  cached.set(key, known);
  return known as Promise<T>;
}

/** Changes with every migration and the set-up of the embedded database, so that an old snapshot is never used as a new one. */
async function fingerprint(through?: string): Promise<string> {
  const hash = createHash('sha256').update(process.version).update(fs.readFileSync(embeddedProgram));
  for (const library of ['@electric-sql/pglite', 'graphile-worker']) hash.update(import.meta.resolve(library)).update(versionOf(library));
  for (const file of await migrationFiles()) if (through === undefined || file.name <= through) hash.update(`${file.name} ${file.sha256}`);
  return hash.digest('hex').slice(0, 16);
}

function versionOf(library: string): string {
  const folder = import.meta.resolve(library).replace(/^file:\/\//, '');
  const home = folder.slice(0, folder.lastIndexOf(`node_modules/${library}/`) + `node_modules/${library}/`.length);
  return (JSON.parse(fs.readFileSync(path.join(home, 'package.json'), 'utf8')) as { version: string }).version;
}

const embeddedProgram = path.join(import.meta.dirname, '../../src/platform/database/lite-worker.ts');

/** Before the first migration: a database without tables. */
const NOTHING = '0000';

async function embeddedSnapshot(through?: string): Promise<Buffer> {
  const file = path.join(os.tmpdir(), `portal-snapshot-${await fingerprint(through)}.tar`);
  if (!fs.existsSync(file)) {
    const database = await openDatabase({ url: 'memory://' });
    if (through !== NOTHING) await migrate(database, through === undefined ? {} : { through });
    const bytes = Buffer.from(await (await database.snapshot()).arrayBuffer());
    await database.close();
    fs.writeFileSync(`${file}.${process.pid}`, bytes);
    fs.renameSync(`${file}.${process.pid}`, file);
  }
  return fs.readFileSync(file);
}

/** The name of the migrated template database on the run's server. */
async function template(through?: string): Promise<string> {
  const { server, reason } = await throwawayPostgres({ inMemory: true });
  if (!server) throw new Error(reason);
  const name = `template_${await fingerprint(through)}`;
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock(7331)');
    const { rows } = await client.query('select from pg_database where datname = $1', [name]);
    if (rows.length === 0) {
      const draft = await server.createDatabase();
      const database = await openDatabase({ url: draft.url });
      await migrate(database, through === undefined ? {} : { through });
      await database.close();
      for (let left = 50; ; left--) {
        try {
          await client.query(`alter database ${draft.name} rename to ${name}`);
          break;
        } catch (error) {
          // The server notices a closed connection with a delay.
          if ((error as { code?: string }).code !== '55006' || left === 0) throw error;
        }
      }
    }
  } finally {
    await client.end();
  }
  return name;
}

/**
 * Creates a database for a test, with all migrations or those through one file: a copy of a snapshot (embedded, 0.7 s) or of a template
 * (postgres, 0.1 s). `await using copy = await migratedDatabase('embedded')` closes and removes it.
 */
export async function migratedDatabase(kind: Kind, options: Opened = {}, through?: string): Promise<TestCopy> {
  if (kind === 'embedded') {
    const snapshot = await once(`snapshot ${through ?? 'of all'}`, () => embeddedSnapshot(through));
    const database = await openDatabase({ ...options, url: 'memory://', snapshot });
    return { database, url: 'memory://', [Symbol.asyncDispose]: () => database.close() };
  }
  const { server, reason } = await throwawayPostgres({ inMemory: true });
  if (!server) throw new Error(reason);
  return opened(await server.createDatabase(await once(`template ${through ?? 'of all'}`, () => template(through))), options);
}

/** Creates an empty database, without tables. */
export async function emptyDatabase(kind: Kind, options: Opened = {}): Promise<TestCopy> {
  if (kind === 'embedded') return migratedDatabase(kind, options, NOTHING);
  const { server, reason: why } = await throwawayPostgres({ inMemory: true });
  if (!server) throw new Error(why);
  return opened(await server.createDatabase(), options);
}

/** Creates a database on the run's server to be copied with `copiedDatabase`, and returns its name. */
export async function templateDatabase(fill: (database: Database) => Promise<void>): Promise<string> {
  const { server, reason: why } = await throwawayPostgres({ inMemory: true });
  if (!server) throw new Error(why);
  const made = await server.createDatabase();
  const database = await openDatabase({ url: made.url });
  try {
    await fill(database);
  } finally {
    await database.close();
  }
  return made.name;
}

/** Creates a copy of a database on the run's server. */
export async function copiedDatabase(name: string, options: Opened = {}): Promise<TestCopy> {
  const { server, reason: why } = await throwawayPostgres({ inMemory: true });
  if (!server) throw new Error(why);
  return opened(await server.createDatabase(name), options);
}

/** The name of the database on the run's server that has all migrations and no rows, to be copied. */
export const migratedTemplate = (): Promise<string> => once('template of all', () => template());

async function opened(made: TestDatabase, options: Opened): Promise<TestCopy> {
  const database = await openDatabase({ ...options, url: made.url });
  return {
    database,
    url: made.url,
    [Symbol.asyncDispose]: async () => {
      await database.close();
      await made.drop();
    },
  };
}

const { server: found, reason } = await throwawayPostgres({ inMemory: true });

/** For `describe.each(kinds)`: both databases, and why one is unavailable. With `describe.skipIf(skip)` the title has the reason. */
export const kinds: { kind: Kind; skip: boolean; title: string }[] = [
  { kind: 'embedded', skip: false, title: 'embedded' },
  { kind: 'postgres', skip: found === null, title: found === null ? `postgres, skipped: ${reason}` : 'postgres' },
];
