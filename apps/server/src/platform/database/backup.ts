import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { Client } from 'pg';
import { type BallotSeal, type BallotsKept, openBallots, readBallotBox, replaceBallotBox, sealBallots } from './ballot-box.ts';
import { connectionsOf, type Database } from './database.ts';
import { migrate, migrationFiles, migrationStatus } from './migrations.ts';
import {
  addJob,
  contentsOf,
  insertRows,
  replaceRows,
  rowsOf,
  sequencesOf,
  setSequences,
  type StoredTable,
  storedTables,
  type WaitingJob,
  waitingJobs,
} from './stored-tables.ts';

/*
 * The file is gzip'd text, a JSON value a line:
 *   {"format":"portal-backup","version":1,"createdAt":…,"server":…,"migrations":[{"name","sha256"}…]}
 *   {"table":…,"columns":[…]}   then its rows, each an array of texts and nulls
 *   {"job":{…}}                 background jobs that wait
 *   {"ballots":…}               ballots of running votes, sealed
 *   {"sequences":{name:value}}
 *   {"sha256":…,"tables":n,"rows":n}   of all lines before
 */
const FORMAT = 'portal-backup';
const VERSION = 1;

export interface BackupHeader {
  format: typeof FORMAT;
  version: number;
  createdAt: string;
  server: string;
  migrations: { name: string; sha256: string }[];
}

export interface BackupSummary {
  file: string;
  createdAt: string;
  /** SHA-256 of the content, hexadecimal. */
  sha256: string;
  tables: number;
  rows: number;
}

/** Called after each batch: the table, and its rows so far. */
export type TableProgress = (table: string, rows: number) => void;

export interface BackupOptions {
  onProgress?: TableProgress;
  clock?: () => Date;
  /** Folder of the migrations. */
  folder?: string | undefined;
  /** Seals ballots of running votes. Without it they are left out. */
  seal?: BallotSeal;
}

interface Footer {
  sha256: string;
  tables: number;
  rows: number;
}

class BackupError extends Error {}

async function header(client: Client, createdAt: string): Promise<BackupHeader> {
  const { rows: server } = await client.query<{ version: string }>(`select current_setting('server_version') as version`);
  const { rows: migrations } = await client.query<{ name: string; sha256: string }>('select name, sha256 from migration order by name');
  return { format: FORMAT, version: VERSION, createdAt, server: server[0]?.version ?? '', migrations };
}

/**
 * Writes the whole database, as of one instant, to one file; changes continue meanwhile on a server, and wait on an embedded
 * database. The file contains secrets and is readable by its owner only. Refuses to overwrite.
 */
export async function backup(
  database: Database,
  file: string,
  { onProgress = () => {}, clock = () => new Date(), folder, seal }: BackupOptions = {},
): Promise<BackupSummary & { ballots: BallotsKept }> {
  if (fs.existsSync(file)) throw new Error(`${file} exists already; name a new file.`);
  const { pending, applied } = await migrationStatus(database, folder);
  if (applied.length === 0) throw new Error('There is nothing to back up: the database has no tables yet.');
  if (pending.length > 0) throw new Error(`The database lacks ${pending.join(', ')}; migrate it first.`);
  const client = await connectionsOf(database).dedicated();
  const createdAt = clock().toISOString();
  const digest = createHash('sha256');
  const footer: Footer = { sha256: '', tables: 0, rows: 0 };
  let ballots: BallotsKept = { count: 0, kept: true };
  async function* lines(): AsyncGenerator<string, void, void> {
    const line = (text: string): string => {
      digest.update(`${text}\n`);
      return `${text}\n`;
    };
    await client.query('begin isolation level repeatable read read only');
    yield line(JSON.stringify(await header(client, createdAt)));
    for (const table of await storedTables(client)) {
      yield line(JSON.stringify({ table: table.name, columns: table.columns.map(({ name }) => name) }));
      let rows = 0;
      for await (const batch of rowsOf(client, table)) {
        yield line(batch.join('\n'));
        rows += batch.length;
        onProgress(table.name, rows);
      }
      footer.tables++;
      footer.rows += rows;
    }
    for (const job of await waitingJobs(client)) yield line(JSON.stringify({ job }));
    const box = await readBallotBox(client);
    ballots = { count: box.count, kept: box.count === 0 || (seal !== undefined && box.ballots !== null) };
    if (seal && box.ballots !== null && box.count > 0) yield line(JSON.stringify({ ballots: sealBallots(seal, box.ballots) }));
    yield line(JSON.stringify({ sequences: await sequencesOf(client) }));
    footer.sha256 = digest.digest('hex');
    yield `${JSON.stringify(footer)}\n`;
  }
  const draft = `${file}.part`;
  try {
    await pipeline(Readable.from(lines()), createGzip(), fs.createWriteStream(draft, { mode: 0o600, flags: 'w' }));
    const written = await open(draft, 'r+');
    await written.sync();
    await written.close();
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    await client.end();
  }
  return { file, createdAt, ballots, ...footer };
}

/** The lines of a backup; errors of the file and its compression become readable sentences. */
async function* linesOf(file: string): AsyncGenerator<string, void, void> {
  const source = fs.createReadStream(file);
  const unzipped = createGunzip();
  const failed = pipeline(source, unzipped).then(
    () => null,
    (error: NodeJS.ErrnoException) => error,
  );
  unzipped.setEncoding('utf8');
  // Not node:readline, which ends a line at U+2028 as well: a member's text may hold one.
  let rest = '';
  let thrown: NodeJS.ErrnoException | null = null;
  try {
    for await (const chunk of unzipped as AsyncIterable<string>) {
      let start = 0;
      for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', start)) {
        yield rest + chunk.slice(start, end);
        rest = '';
        start = end + 1;
      }
      rest += chunk.slice(start);
    }
    if (rest !== '') yield rest;
  } catch (error) {
    thrown = error as NodeJS.ErrnoException;
  } finally {
    source.destroy();
    unzipped.destroy();
  }
  const error = thrown ?? (await failed);
  if (error === null) return;
  if (error.code === 'ENOENT') throw new BackupError(`${file} does not exist.`);
  if (error.code === 'Z_BUF_ERROR') throw new BackupError(`${file} is truncated: it ends in the middle.`);
  if (error.code === 'Z_DATA_ERROR' && error.message.includes('incorrect header'))
    throw new BackupError(`${file} is not a backup of this program.`);
  if (error.code?.startsWith('Z_')) throw new BackupError(`${file} is damaged: ${error.message}.`);
  throw error;
}

function parse<T>(line: string): T | null {
  try {
    return JSON.parse(line) as T;
  } catch {
    return null;
  }
}

/**
 * Reads a whole backup and returns its summary. Throws a sentence if it is not a backup, has a newer format, is
 * truncated, or was altered.
 */
export async function inspectBackup(file: string): Promise<BackupSummary & { header: BackupHeader }> {
  const digest = createHash('sha256');
  let first: BackupHeader | null = null;
  let last: string | null = null;
  for await (const line of linesOf(file)) {
    if (first === null) {
      first = parse<BackupHeader>(line);
      if (first?.format !== FORMAT) throw new BackupError(`${file} is not a backup of this program.`);
      if (first.version !== VERSION)
        throw new BackupError(`${file} is a backup of format ${first.version}; this program reads format ${VERSION}.`);
    } else if (last !== null) digest.update(`${last}\n`);
    last = line;
  }
  if (first === null || last === null) throw new BackupError(`${file} is not a backup of this program: it is empty.`);
  const footer = parse<Footer>(last);
  if (typeof footer?.sha256 !== 'string') throw new BackupError(`${file} is truncated: its closing line is missing.`);
  const sha256 = digest.digest('hex');
  if (footer.sha256 !== sha256) throw new BackupError(`${file} was changed after it was written: its checksum does not match.`);
  return { file, createdAt: first.createdAt, header: first, ...footer };
}

export interface RestoreOptions {
  /** Replace the content of the database; otherwise only an empty database is filled. */
  replace?: boolean;
  onProgress?: TableProgress;
  /** Folder of the migrations. */
  folder?: string;
  /** Opens the ballots of running votes in the backup. */
  seal?: BallotSeal;
}

async function refuseUnlessReplaceable(
  database: Database,
  backupOf: BackupHeader,
  { replace = false, folder }: RestoreOptions,
): Promise<void> {
  const client = await connectionsOf(database).dedicated();
  try {
    if ((await contentsOf(client)) === 'rows' && !replace)
      throw new BackupError('The database is not empty; restore into a new one, or add --replace to replace everything it holds.');
  } finally {
    await client.end();
  }
  const files = new Map((await migrationFiles(folder)).map(({ name, sha256 }) => [name, sha256]));
  for (const { name, sha256 } of backupOf.migrations) {
    if (!files.has(name))
      throw new BackupError(
        `The backup needs ${name}, which this version does not have: restore it with the version that wrote it, or a newer one.`,
      );
    if (files.get(name) !== sha256) throw new BackupError(`The backup was written with another ${name} than this version has.`);
  }
  const inBackup = new Set(backupOf.migrations.map(({ name }) => name));
  const { applied } = await migrationStatus(database, folder);
  const tooNew = applied.find(({ name }) => !inBackup.has(name));
  if (tooNew)
    throw new BackupError(
      `The database has ${tooNew.name} already and the backup is older; restore it into a new database, which is then brought up to date.`,
    );
}

async function load(
  client: Client,
  file: string,
  { onProgress = () => {}, seal }: RestoreOptions,
): Promise<{ tables: number; rows: number; ballots: number }> {
  const done = { tables: 0, rows: 0, ballots: 0 };
  let sealed: string | null = null;
  await replaceRows(client, async tables => {
    const byName = new Map(tables.map(table => [table.name, table]));
    let table: StoredTable | null = null;
    let rows = 0;
    let batch: string[] = [];
    let bytes = 0;
    const flush = async (): Promise<void> => {
      if (table === null || batch.length === 0) return;
      await insertRows(client, table, batch);
      rows += batch.length;
      done.rows += batch.length;
      onProgress(table.name, rows);
      batch = [];
      bytes = 0;
    };
    for await (const line of linesOf(file)) {
      if (line.startsWith('[')) {
        batch.push(line);
        bytes += line.length;
        if (batch.length >= 1_000 || bytes >= 4_000_000) await flush();
        continue;
      }
      await flush();
      const mark = JSON.parse(line) as {
        table?: string;
        columns?: string[];
        job?: WaitingJob;
        ballots?: string;
        sequences?: Record<string, number>;
      };
      if (mark.table !== undefined) {
        table = byName.get(mark.table) ?? null;
        if (table === null) throw new BackupError(`The backup has a table ${mark.table} that its migrations do not make.`);
        const types = new Map(table.columns.map(column => [column.name, column]));
        table = {
          name: table.name,
          columns: (mark.columns ?? []).map(name => {
            const column = types.get(name);
            if (!column) throw new BackupError(`The backup has a column ${mark.table}.${name} that its migrations do not make.`);
            return column;
          }),
        };
        rows = 0;
        done.tables++;
      } else if (mark.job) await addJob(client, mark.job);
      else if (mark.ballots !== undefined) sealed = mark.ballots;
      else if (mark.sequences) await setSequences(client, mark.sequences);
    }
  });
  if (sealed !== null && !seal) throw new BackupError('The backup holds ballots of running votes, and there is no key to open them.');
  const ballots = sealed === null ? [] : openBallots(seal!, sealed);
  await replaceBallotBox(client, ballots);
  done.ballots = ballots.length;
  return done;
}

/**
 * Restores a database from a backup in one transaction; server and embedded databases can be mixed. The whole file is checked before anything is
 * changed. A database without tables gets those of the backup's version first; newer migrations follow after.
 */
export async function restore(
  database: Database,
  file: string,
  options: RestoreOptions = {},
): Promise<BackupSummary & { ballots: number }> {
  const { header: written, ...summary } = await inspectBackup(file);
  await refuseUnlessReplaceable(database, written, options);
  const last = written.migrations.at(-1);
  const folder = options.folder === undefined ? {} : { folder: options.folder };
  if (last) await migrate(database, { ...folder, through: last.name });
  const client = await connectionsOf(database).dedicated();
  let ballots = 0;
  try {
    await client.query('begin');
    const done = await load(client, file, options);
    ballots = done.ballots;
    if (done.rows !== summary.rows || done.tables !== summary.tables)
      throw new BackupError(`${file} changed while it was read; nothing was restored.`);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  } finally {
    await client.end();
  }
  await migrate(database, folder);
  return { ...summary, ballots };
}
