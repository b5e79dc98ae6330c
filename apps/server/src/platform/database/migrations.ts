import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Logger, runMigrations } from 'graphile-worker';
import type { Client } from 'pg';
import { connectionsOf, type Database } from './database.ts';
import { statementsOf } from './statements.ts';

/** Folder of this program's migrations. */
export const MIGRATIONS = path.join(import.meta.dirname, '../../../db/migrations');

const FILE = /^\d{4}_[a-z0-9_]+\.sql$/;
const ADVISORY_LOCK = 7_331_001;

export interface MigrationFile {
  name: string;
  /** SHA-256 of the file, hexadecimal. */
  sha256: string;
  text: string;
}

export interface AppliedMigration {
  name: string;
  sha256: string;
  /** ISO instant. */
  at: string;
}

export interface MigrationStatus {
  applied: AppliedMigration[];
  /** Names of files not applied yet, in order. */
  pending: string[];
  /** Names of applied files whose content is not what was applied. */
  changed: string[];
  /** Names of applied migrations this program has no file for: the database belongs to a newer version. */
  unknown: string[];
}

export interface MigrateOptions {
  folder?: string;
  /** Last file to apply; all by default. */
  through?: string;
  onProgress?: (name: string) => void;
}

/** A migration that failed: nothing of it remains. `line` is counted from 1 in its file. */
class MigrationError extends Error {
  file: string;
  line: number | null;
  constructor(file: string, line: number | null, cause: Error) {
    super(`${file}${line === null ? '' : `, line ${line}`}: ${cause.message}; nothing of this file was applied.`, { cause });
    this.name = 'MigrationError';
    this.file = file;
    this.line = line;
  }
}

/** The migration files of a folder in order. Refuses a name that is not NNNN_words.sql, and a number used twice. */
export async function migrationFiles(folder: string = MIGRATIONS): Promise<MigrationFile[]> {
  const names = (await readdir(folder)).filter(name => name.endsWith('.sql')).sort();
  const files: MigrationFile[] = [];
  for (const name of names) {
    if (!FILE.test(name))
      throw new Error(`${name} is not named like a migration: four digits, an underscore, small letters, such as 0002_accounts.sql.`);
    const twin = files.at(-1);
    if (twin?.name.slice(0, 4) === name.slice(0, 4)) throw new Error(`${twin.name} and ${name} have the same number.`);
    const text = await readFile(path.join(folder, name), 'utf8');
    files.push({ name, text, sha256: createHash('sha256').update(text).digest('hex') });
  }
  return files;
}

async function appliedMigrations(client: Client): Promise<AppliedMigration[]> {
  const { rows: tables } = await client.query(`select from pg_class where oid = to_regclass('public.migration')`);
  if (tables.length === 0) return [];
  const { rows } = await client.query<{ name: string; sha256: string; at: Date }>('select name, sha256, at from migration order by name');
  return rows.map(row => ({ ...row, at: row.at.toISOString() }));
}

function compare(files: MigrationFile[], applied: AppliedMigration[]): MigrationStatus {
  const known = new Map(files.map(file => [file.name, file]));
  const done = new Set(applied.map(({ name }) => name));
  return {
    applied,
    pending: files.filter(({ name }) => !done.has(name)).map(({ name }) => name),
    changed: applied.filter(({ name, sha256 }) => known.has(name) && known.get(name)?.sha256 !== sha256).map(({ name }) => name),
    unknown: applied.filter(({ name }) => !known.has(name)).map(({ name }) => name),
  };
}

/** Returns the applied and pending migrations. */
export async function migrationStatus(database: Database, folder: string = MIGRATIONS): Promise<MigrationStatus> {
  const files = await migrationFiles(folder);
  const client = await connectionsOf(database).dedicated();
  try {
    return compare(files, await appliedMigrations(client));
  } finally {
    await client.end();
  }
}

/** Migrations from before the first release: a name of each set that was put together into one file a module since. */
const BEFORE_FIRST_RELEASE = ['0005_mail.sql', '0019_digests.sql', '0030_platform_renew_digests.sql'];

/** Why a database must not be migrated with these files, or null. */
function objection({ applied, pending, changed, unknown }: MigrationStatus): string | null {
  if (BEFORE_FIRST_RELEASE.some(name => unknown.includes(name)))
    return 'This database was made before the first release, by migrations that have been put together since; there is no way from one to the other. Start afresh: stop the server, then run `npm run registry -- demo reset --yes`, or delete the data folder (./data).';
  if (changed.length > 0) return `${changed.join(', ')} changed after it was applied; put it back and write the change as a new migration.`;
  if (unknown.length > 0) return `The database has ${unknown.join(', ')}, which this version does not know: it belongs to a newer version.`;
  const last = applied.at(-1)?.name;
  const early = pending[0];
  if (last !== undefined && early !== undefined && early < last)
    return `${early} is not applied, but ${last} is; number new migrations after those already applied.`;
  return null;
}

/** How long, in ms, a migration waits for a table: everyone who asks for that table meanwhile waits behind it. */
const LOCK_WAIT_MS = 2000;
/** How long, in ms, it then leaves the table to the others, and how often it comes back: ten minutes, longer than a backup usually takes. */
const LOCK_PAUSE_MS = 1000;
const LOCK_TRIES = 200;
/** Time, in ms, between two looks whether another process has finished its migrations. */
const TURN_LOOK_MS = 100;

const isLockTimeout = ({ cause }: MigrationError): boolean => (cause as { code?: string }).code === '55P03';

/** Applies a file. One that can't have a table in time lets those behind it pass, and tries again. */
async function applyFile(client: Client, file: MigrationFile, kind: Database['kind']): Promise<void> {
  const indexes = concurrentIndexes(file);
  // Embedded, no one else is there, and the engine knows no other way than to wait.
  if (indexes.length > 0 && kind !== 'embedded') return await makeIndexes(client, file, indexes);
  for (let tries = 1; ; tries++) {
    try {
      return await applyInTransaction(client, file);
    } catch (error) {
      if (!(error instanceof MigrationError) || !isLockTimeout(error) || tries === LOCK_TRIES) throw error;
      await pause(LOCK_PAUSE_MS);
    }
  }
}

type NamedIndex = { name: string; statement: string; line: number };
const CONCURRENT = /^create\s+(unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?("?\w+"?)\s+on\b/i;

/** The indexes of a file that are made while others read and write; such a file has nothing else. */
const concurrentIndexes = ({ text }: MigrationFile): NamedIndex[] =>
  statementsOf(text).flatMap(({ text: statement, line }) => {
    const name = CONCURRENT.exec(statement)?.[2];
    return name === undefined ? [] : [{ name, statement, line }];
  });

/** Makes indexes while others work. Each is a transaction of PostgreSQL's own: what an earlier try left of it, unusable, goes first. */
async function makeIndexes(client: Client, file: MigrationFile, indexes: readonly NamedIndex[]): Promise<void> {
  if (statementsOf(file.text).length !== indexes.length)
    throw new MigrationError(
      file.name,
      null,
      new Error('indexes that are made concurrently need a file without other statements, and names'),
    );
  for (const { name, statement, line } of indexes) {
    try {
      await client.query(`drop index concurrently if exists ${name}`);
      await client.query(statement);
    } catch (error) {
      await client.query(`drop index concurrently if exists ${name}`).catch(() => {});
      throw new MigrationError(file.name, line, error as Error);
    }
  }
  await client.query('insert into migration (name, sha256) values ($1, $2)', [file.name, file.sha256]);
}

async function applyInTransaction(client: Client, file: MigrationFile): Promise<void> {
  await client.query('begin');
  await client.query(`set local lock_timeout = ${LOCK_WAIT_MS}`);
  let line: number | null = null;
  try {
    for (const statement of statementsOf(file.text)) {
      line = statement.line;
      if (/^(begin|commit|rollback|end|start\s+transaction|savepoint|release|abort)\b/i.test(statement.text))
        throw new Error('a migration runs in one transaction of its own and must not open or close any');
      try {
        await client.query(statement.text.replace(CONCURRENT, made => made.replace(/\bconcurrently\b/i, '')));
      } catch (error) {
        const position = Number((error as { position?: string }).position);
        if (position > 0)
          line =
            statement.line +
            Array.from(statement.text)
              .slice(0, position - 1)
              .join('')
              .split('\n').length -
            1;
        throw error;
      }
    }
    line = null;
    await client.query('insert into migration (name, sha256) values ($1, $2)', [file.name, file.sha256]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new MigrationError(file.name, line, error as Error);
  }
}

/** The last migration of each database in this process. */
const turns = new WeakMap<Database, Promise<unknown>>();

/**
 * Brings a database up to date: graphile-worker's own schema, then each file not applied yet, one transaction a file, in order. Processes
 * that start at the same time wait for each other. Answers the names applied.
 * Throws, having applied nothing, when an applied file has changed, when the database is newer than the files, or when a file comes before
 * one already applied; throws a MigrationError when a file fails, leaving the database at the file before.
 */
export function migrate(database: Database, options: MigrateOptions = {}): Promise<string[]> {
  // The connections of an embedded database share one session, which an advisory lock does not keep from itself.
  const turn = (turns.get(database) ?? Promise.resolve()).then(() => applyPending(database, options));
  turns.set(
    database,
    turn.catch(() => {}),
  );
  return turn;
}

/** Waits until no other process migrates. Asking again instead of waiting in the database: an index that is made concurrently waits for all statements. */
async function takeTurn(client: Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [ADVISORY_LOCK]);
    if (rows[0]!.taken) return;
    await pause(TURN_LOOK_MS);
  }
}

async function applyPending(
  database: Database,
  { folder = MIGRATIONS, through, onProgress = () => {} }: MigrateOptions,
): Promise<string[]> {
  const files = await migrationFiles(folder);
  if (through !== undefined && !files.some(({ name }) => name === through)) throw new Error(`There is no migration ${through}.`);
  const client = await connectionsOf(database).dedicated();
  try {
    await takeTurn(client);
    await client.query(
      'create table if not exists migration (name text primary key, sha256 text not null, at timestamptz not null default now())',
    );
    const status = compare(files, await appliedMigrations(client));
    const refusal = objection(status);
    if (refusal !== null) throw new Error(refusal);
    await runMigrations({ pgPool: database.pool, logger: new Logger(() => () => {}) });
    const applied: string[] = [];
    for (const file of files) {
      if (!status.pending.includes(file.name) || (through !== undefined && file.name > through)) continue;
      onProgress(file.name);
      await applyFile(client, file, database.kind);
      applied.push(file.name);
    }
    return applied;
  } finally {
    // Closing the connection releases the lock on a server; on the embedded database the session continues, so it is released explicitly.
    await client.query('select pg_advisory_unlock($1)', [ADVISORY_LOCK]).catch(() => {});
    await client.end();
  }
}
