import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { account, binaries, freePort } from './throwaway-postgres.ts';

const database = 'postgres';
const query = async (url: string, text: string): Promise<pg.QueryResult> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => {});
  await client.connect();
  try {
    return await client.query(text);
  } finally {
    await client.end();
  }
};

const childrenOf = (pid: number): number[] =>
  spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
    .stdout.split(/\s+/)
    .filter(Boolean)
    .map(Number);

function signalled(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended by then.
  }
}

async function serverIn(home: string, name: string, more: readonly string[]) {
  const data = path.join(home, name);
  const port = await freePort();
  const url = `postgres://portal@127.0.0.1:${port}/${database}`;
  const log = path.join(home, `${name}.log`);
  let child: ChildProcess | null = null;
  const isGone = (): boolean => child === null || child.exitCode !== null || child.signalCode !== null;
  return {
    data,
    port,
    url,
    query: (text: string) => query(url, text),
    start: async (): Promise<void> => {
      const settings = [
        'listen_addresses=127.0.0.1',
        'unix_socket_directories=',
        'fsync=off',
        'shared_buffers=32MB',
        'wal_level=replica',
        'hot_standby=on',
        'max_connections=200',
        'wal_receiver_status_interval=1',
        ...more,
      ];
      const out = fs.openSync(log, 'a');
      child = spawn(path.join(binaries()!, 'postgres'), ['-D', data, '-p', String(port), ...settings.flatMap(each => ['-c', each])], {
        ...account(),
        cwd: home,
        stdio: ['ignore', out, out],
      });
      fs.closeSync(out);
      for (;;) {
        const answers = await query(url, 'select 1').then(
          () => true,
          () => false,
        );
        if (answers) return;
        if (isGone()) throw new Error(`postgres ended: ${fs.readFileSync(log, 'utf8').slice(-500)}`);
        await pause(20);
      }
    },
    /** Waits until it has replayed all that another one has written. */
    caughtUpWith: async (other: { query: (text: string) => Promise<pg.QueryResult> }): Promise<void> => {
      const [{ position }] = (await other.query('select pg_current_wal_flush_lsn()::text as position')).rows as [{ position: string }];
      while (!(await query(url, `select pg_last_wal_replay_lsn() >= '${position}' as is`)).rows[0].is) await pause(20);
    },
    /** Stops or continues all of it, as a machine does that hangs: connections stay open and nothing answers. */
    hang: (now: boolean): void => {
      for (const pid of [child!.pid!, ...childrenOf(child!.pid!)]) signalled(pid, now ? 'SIGSTOP' : 'SIGCONT');
    },
    /** Ends all of it as a power cut does: no client is told. */
    crash: async (): Promise<void> => {
      const gone = once(child!, 'exit');
      const children = childrenOf(child!.pid!);
      for (const pid of [child!.pid!, ...children]) signalled(pid, 'SIGKILL');
      await gone;
    },
    /** Makes a replica the primary. */
    promote: async (): Promise<void> => {
      const done = spawn(path.join(binaries()!, 'pg_ctl'), ['promote', '-D', data, '-w'], { ...account(), cwd: home, stdio: 'ignore' });
      const [status] = await once(done, 'exit');
      if (status !== 0) throw new Error(`pg_ctl promote failed: ${fs.readFileSync(log, 'utf8').slice(-500)}`);
    },
    stop: async (signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL' = 'SIGQUIT'): Promise<void> => {
      if (isGone()) return;
      const gone = once(child!, 'exit');
      child!.kill(signal);
      await gone;
    },
  };
}

/** Starts a primary and a server that follows it by streaming replication, each to be stopped, paused and promoted. @param more settings of both */
export async function streamingPair(more: readonly string[] = []) {
  const bin = binaries()!;
  const owner = account()!;
  const home = fs.mkdtempSync(path.join(os.tmpdir(), 'portal-streaming-'));
  if (owner.uid !== undefined) fs.chownSync(home, owner.uid, owner.gid ?? owner.uid);
  const run = (program: string, args: readonly string[]): void => {
    const done = spawnSync(path.join(bin, program), args, { ...owner, cwd: home, encoding: 'utf8' });
    if (done.status !== 0) throw new Error(`${program} failed: ${done.stderr}`);
  };
  const primary = await serverIn(home, 'primary', more);
  run('initdb', ['-D', primary.data, '-A', 'trust', '-U', 'portal', '-E', 'UTF8', '--locale=C', '--no-sync']);
  await primary.start();
  const followers: Awaited<ReturnType<typeof serverIn>>[] = [];
  /** Starts another server that follows the primary. */
  const follow = async (name: string) => {
    const server = await serverIn(home, name, more);
    run('pg_basebackup', [
      '-h127.0.0.1',
      `-p${primary.port}`,
      '-Uportal',
      `-D${server.data}`,
      '--write-recovery-conf',
      '--checkpoint=fast',
      '--no-sync',
    ]);
    await server.start();
    followers.push(server);
    return server;
  };
  const replica = await follow('replica');
  return {
    primary,
    replica,
    follow,
    async [Symbol.asyncDispose]() {
      for (const server of [...followers, primary]) await server.stop();
      fs.rmSync(home, { recursive: true, force: true });
    },
  };
}
