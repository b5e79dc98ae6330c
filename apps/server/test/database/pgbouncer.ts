import { spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { account, freePort } from './throwaway-postgres.ts';

/** Debian's PgBouncer is on this machine. */
export const hasPgBouncer = spawnSync('pgbouncer', ['--version']).status === 0 && account() !== null;

/** Starts PgBouncer before all databases of a server. @param more settings of its own */
export async function startPgBouncer(serverUrl: string, more: Record<string, string | number> = {}) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'portal-pgbouncer-'));
  const owner = account() ?? {};
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid ?? owner.uid);
  const { hostname, port: serverPort, username } = new URL(serverUrl);
  const port = await freePort();
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'any',
    admin_users: username,
    pool_mode: 'transaction',
    default_pool_size: 4,
    max_client_conn: 300,
    ...more,
  };
  const file = path.join(folder, 'pgbouncer.ini');
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
  writeFileSync(file, `[databases]\n* = host=${hostname} port=${serverPort} user=${username}\n[pgbouncer]\n${lines.join('\n')}\n`);
  const child = spawn('pgbouncer', ['-q', file], { ...owner, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const urlOf = (databaseUrl: string): string => {
    const address = new URL(databaseUrl);
    address.port = String(port);
    return address.href;
  };
  const administer = async (command: string): Promise<void> => {
    const client = new pg.Client({ connectionString: urlOf(serverUrl).replace(/\/[^/]*$/, '/pgbouncer') });
    await client.connect();
    await client.query(command);
    await client.end();
  };
  for (;;) {
    if (child.exitCode !== null) throw new Error(`PgBouncer did not start.\n${said}`);
    try {
      await administer('show version');
      break;
    } catch {
      await pause(20);
    }
  }
  return {
    /** The address of a database through it. */
    urlOf,
    /** Runs a command of its console. */
    administer,
    stop: (): void => {
      child.kill('SIGKILL');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
