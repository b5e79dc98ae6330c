import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { account, binaries, freePort } from './throwaway-postgres.ts';

/** Ways to stop a server: wait for its clients, disconnect them, or crash. */
export const shutdownModes = { smart: 'SIGTERM', fast: 'SIGINT', immediate: 'SIGQUIT' } as const;
export type ShutdownMode = keyof typeof shutdownModes;

export type OwnPostgres = Awaited<ReturnType<typeof ownPostgres>>;

/** Returns whether a test can get a PostgreSQL server of its own to damage. */
export const canOwnPostgres = (): boolean => binaries() !== null && account() !== null;

/** Size of the disk for a demo registry's tables, with a small reserve. */
const DISK = '400m';

/** Puts the folder on a small disk of its own; false where that is not allowed. */
function limitDisk(folder: string): boolean {
  const aside = `${folder}.aside`;
  fs.renameSync(folder, aside);
  const { uid, gid, mode } = fs.statSync(aside);
  fs.mkdirSync(folder);
  const options = `size=${DISK},uid=${uid},gid=${gid},mode=${(mode & 0o777).toString(8)}`;
  const mounted = process.platform === 'linux' && spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder]).status === 0;
  if (mounted) spawnSync('cp', ['-a', `${aside}/.`, folder]);
  else {
    fs.rmdirSync(folder);
    fs.renameSync(aside, folder);
  }
  return mounted;
}

/** A PostgreSQL server for one test, which may be restarted, stopped and damaged. */
export async function ownPostgres() {
  const bin = binaries()!;
  const owner = account()!;
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-own-postgres-'));
  if (owner.uid !== undefined) fs.chownSync(home, owner.uid, owner.gid ?? owner.uid);
  const data = path.join(home, 'data');
  const made = spawnSync(path.join(bin, 'initdb'), ['-D', data, '-A', 'trust', '-U', 'portal', '-E', 'UTF8', '--locale=C', '--no-sync'], {
    ...owner,
    cwd: home,
    encoding: 'utf8',
  });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
  const port = await freePort();
  const url = `postgres://portal@127.0.0.1:${port}/postgres`;
  let server: ChildProcess | null = null;

  const isLimited = limitDisk(path.join(data, 'base'));
  const query = async (...texts: [string, ...string[]]): Promise<pg.QueryResult> => {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    await client.connect();
    try {
      const answers: pg.QueryResult[] = [];
      for (const text of texts) answers.push(await client.query(text));
      return answers.at(-1)!;
    } finally {
      await client.end();
    }
  };
  const start = async (): Promise<void> => {
    const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', 'shared_buffers=32MB'];
    const log = fs.openSync(path.join(home, 'log'), 'a');
    server = spawn(path.join(bin, 'postgres'), ['-D', data, '-p', String(port), ...settings.flatMap(setting => ['-c', setting])], {
      ...owner,
      cwd: home,
      stdio: ['ignore', log, log],
    });
    fs.closeSync(log);
    for (;;) {
      const answers = await query('select 1').then(
        () => true,
        () => false,
      );
      if (answers) return;
      if (server.exitCode !== null)
        throw new Error(`postgres ended at once: ${fs.readFileSync(path.join(home, 'log'), 'utf8').slice(-500)}`);
      await pause(20);
    }
  };
  const signal = (mode: ShutdownMode): void => void server?.kill(shutdownModes[mode]);
  const stop = async (mode: ShutdownMode): Promise<void> => {
    if (server === null || server.exitCode !== null || server.signalCode !== null) return;
    const gone = once(server, 'exit');
    signal(mode);
    await gone;
  };
  /** Ends all of the server as a power cut does: nothing is written any more, and no client is told. */
  const crash = async (): Promise<void> => {
    if (server?.pid === undefined || server.exitCode !== null) return;
    const children = spawnSync('ps', ['-o', 'pid=', '--ppid', String(server.pid)], { encoding: 'utf8' })
      .stdout.split(/\s+/)
      .filter(Boolean);
    const gone = once(server, 'exit');
    server.kill('SIGKILL');
    for (const child of children) {
      try {
        process.kill(Number(child), 'SIGKILL');
      } catch {
        // It ended by then.
      }
    }
    await gone;
  };
  await start();
  return {
    url,
    query,
    /** Fills the disk of all tables, and returns a function that frees it; null where no disk can be mounted. The write-ahead log has another disk. */
    fillDisk: isLimited
      ? () => {
          const file = path.join(data, 'base', 'filler');
          spawnSync('dd', ['if=/dev/zero', `of=${file}`, 'bs=64k'], { stdio: 'ignore' });
          return () => fs.rmSync(file);
        }
      : null,
    start,
    signal,
    stop,
    crash,
    async [Symbol.asyncDispose]() {
      await stop('immediate');
      if (isLimited) spawnSync('umount', [path.join(data, 'base')]);
      fs.rmSync(home, { recursive: true, force: true });
    },
  };
}
