import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isMainThread } from 'node:worker_threads';
import pg from 'pg';
import { quickParent } from '../../../../tools/memory-folder.ts';

/** A PostgreSQL server for tests, deleted after the test run. */
export interface ThrowawayPostgres {
  /** Address of its maintenance database. */
  url: string;
  /** Creates an empty database, or a copy of another one (which must have no connections). */
  createDatabase(template?: string): Promise<TestDatabase>;
}

export interface TestDatabase {
  name: string;
  url: string;
  drop(): Promise<void>;
}

export type Postgres = { server: ThrowawayPostgres; reason?: undefined } | { server: null; reason: string };

interface Started {
  url?: string;
  reason?: string;
}

/** `inMemory`: for databases as small as those of tests, where the machine has a file system in memory with room for them. */
interface Wish {
  inMemory?: boolean;
}

let answer: Promise<Postgres> | undefined;

/**
 * The test run's PostgreSQL: the server of TEST_DATABASE_URL, else a throw-away cluster made from the binaries on this machine, one for
 * all test files of a run; it ends with the run. `server` is null, with the reason, where there is none.
 */
export function throwawayPostgres({ inMemory = false }: Wish = {}): Promise<Postgres> {
  answer ??= find(inMemory);
  return answer;
}

async function find(inMemory: boolean): Promise<Postgres> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { server: serverAt(given, 'wal_log') };
  const { url, reason } = await sharedCluster(inMemory);
  return url === undefined ? { server: null, reason: reason ?? 'PostgreSQL did not start' } : { server: serverAt(url, 'file_copy') };
}

/**
 * Statements about databases go over connections that stay: a new one for each cost the server 7 ms of processor and this process 2, twice for every test.
 * @param strategy how a database is copied: by its files costs half, where nothing waits for a disk.
 */
function serverAt(url: string, strategy: 'wal_log' | 'file_copy'): ThrowawayPostgres {
  // They keep no process from ending. The server may end before it.
  const administrators = new pg.Pool({ connectionString: url, max: 2, idleTimeoutMillis: 0, allowExitOnIdle: true });
  administrators.on('error', () => {});
  const administer = async (statement: string): Promise<void> => void (await administrators.query(statement));
  return {
    url,
    createDatabase: async template => {
      const name = `test_${process.pid}_${Math.random().toString(36).slice(2, 10)}`;
      await administer(`create database ${name} template ${template ?? 'template0'} strategy ${strategy}`);
      const address = new URL(url);
      address.pathname = `/${name}`;
      return { name, url: address.href, drop: () => administer(`drop database if exists ${name} with (force)`) };
    },
  };
}

/** Returns the folder of PostgreSQL's programs: on PATH, else the newest of Debian's folders; null if there are none. */
export function binaries(): string | null {
  const versions = '/usr/lib/postgresql';
  const debian = fs.existsSync(versions)
    ? fs
        .readdirSync(versions)
        .sort((a, b) => Number(b) - Number(a))
        .map(version => path.join(versions, version, 'bin'))
    : [];
  const folders = [...(process.env.PATH ?? '').split(path.delimiter).filter(Boolean), ...debian];
  const holds = (folder: string, program: string): boolean => fs.existsSync(path.join(folder, program));
  for (const folder of folders) {
    if (!holds(folder, 'initdb')) continue;
    const real = path.dirname(fs.realpathSync(path.join(folder, 'initdb')));
    if (holds(real, 'postgres')) return real;
  }
  return null;
}

/** The account the server runs as: PostgreSQL refuses to run as root. */
export function account(): { uid?: number; gid?: number } | null {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string): number => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout.trim() || Number.NaN);
  const [uid, gid] = [id('-u'), id('-g')];
  return Number.isNaN(uid) || Number.isNaN(gid) ? null : { uid, gid };
}

/**
 * Maximum memory of a cluster: databases of 15 MB, a few at a time, and the write-ahead log. A database is a thousand files: creating and deleting them takes a third of
 * a second of processor time on disk, a twentieth in memory.
 */
const ROOM_IN_MEMORY = 2 ** 30;
/** Before the process id of the keeper in the name of a cluster's folder. */
const prefix = 'portal-cluster-';

/** Removes leftovers of killed keepers, which would stay in memory until the machine is restarted. */
function forgetEarlierClusters(parent: string): void {
  for (const name of fs.readdirSync(parent)) {
    const keeper = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : Number.NaN;
    if (!Number.isNaN(keeper) && !isAlive(keeper)) fs.rmSync(path.join(parent, name), { recursive: true, force: true });
  }
}

/** One cluster for all processes of a test run: the first makes its folder and starts its keeper, the others wait for its address. */
async function sharedCluster(inMemory: boolean): Promise<Started> {
  const bin = binaries();
  if (bin === null) return { reason: 'no PostgreSQL on this machine (initdb and postgres, on PATH or in /usr/lib/postgresql)' };
  if (account() === null) return { reason: 'PostgreSQL does not run as root, and there is no account postgres to run it as' };
  // Test files run in child processes or threads of the run.
  const run = isMainThread ? process.ppid : process.pid;
  const folder = path.join(os.tmpdir(), `portal-postgres-${run}`);
  try {
    fs.mkdirSync(folder, { mode: 0o755 });
    const parent = inMemory ? quickParent(ROOM_IN_MEMORY) : os.tmpdir();
    spawn(process.execPath, [import.meta.filename, folder, String(run), bin, parent], { detached: true, stdio: 'ignore' }).unref();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const file = path.join(folder, 'started.json');
  for (let waited = 0; waited < 60_000; waited += 50) {
    if (fs.existsSync(file)) return JSON.parse(fs.readFileSync(file, 'utf8')) as Started;
    await pause(50);
  }
  return { reason: `PostgreSQL did not start within a minute; see ${folder}/log` };
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

export async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await new Promise(resolve => server.once('listening', resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise(resolve => server.close(resolve));
  return port;
}

/** The keeper: creates and runs the cluster until the test run has ended in any way, and removes it. */
async function keep(folder: string, run: number, bin: string, parent: string): Promise<void> {
  const resolveStarted = (started: Started): void => {
    fs.writeFileSync(path.join(folder, 'draft'), JSON.stringify(started));
    fs.renameSync(path.join(folder, 'draft'), path.join(folder, 'started.json'));
  };
  const owner = account() ?? {};
  forgetEarlierClusters(parent);
  const home = path.join(parent, `${prefix}${process.pid}`);
  const data = path.join(home, 'data');
  fs.mkdirSync(home);
  if (owner.uid !== undefined) fs.chownSync(home, owner.uid, owner.gid ?? owner.uid);
  const made = spawnSync(path.join(bin, 'initdb'), ['-D', data, '-A', 'trust', '-U', 'portal', '-E', 'UTF8', '--locale=C', '--no-sync'], {
    ...owner,
    cwd: home,
    encoding: 'utf8',
  });
  if (made.status === 0) {
    const port = await freePort();
    const settings = [
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      'fsync=off',
      'full_page_writes=off',
      'shared_buffers=64MB',
      'max_wal_size=128MB',
      'max_connections=200',
    ];
    const log = fs.openSync(path.join(folder, 'log'), 'w');
    const server = spawn(path.join(bin, 'postgres'), ['-D', data, '-p', String(port), ...settings.flatMap(setting => ['-c', setting])], {
      ...owner,
      cwd: home,
      stdio: ['ignore', log, log],
    });
    const ended = new Promise(resolve => server.once('exit', resolve));
    const url = `postgres://portal@127.0.0.1:${port}/postgres`;
    for (;;) {
      const client = new pg.Client({ connectionString: url });
      client.on('error', () => {});
      try {
        await client.connect();
        await client.end();
        resolveStarted({ url });
        break;
      } catch {
        if (server.exitCode !== null) {
          resolveStarted({ reason: `postgres ended at once: ${fs.readFileSync(path.join(folder, 'log'), 'utf8').slice(-500)}` });
          break;
        }
        await pause(50);
      }
    }
    while (isAlive(run) && server.exitCode === null) await pause(500);
    server.kill('SIGINT');
    await ended;
  } else {
    resolveStarted({ reason: `initdb failed: ${made.stderr}` });
    while (isAlive(run)) await pause(500);
  }
  fs.rmSync(home, { recursive: true, force: true });
  fs.rmSync(folder, { recursive: true, force: true });
}

const [, self, folder, run, bin, parent] = process.argv;
if (self === import.meta.filename && folder && run && bin && parent) await keep(folder, Number(run), bin, parent);
