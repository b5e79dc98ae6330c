import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePort, installed, start } from './program.ts';

const haproxy = installed('/usr/sbin/haproxy');
export const databaseProxyIsInstalled = haproxy !== null;

const numberOf = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
/** A message of PostgreSQL's protocol: its letter, its length and what it says. */
const message = (letter: string, ...parts: Buffer[]): Buffer => {
  const said = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(letter), numberOf(said.length + 4), said]);
};
const startup = message('', numberOf(3 << 16), Buffer.from('user\0portal\0database\0postgres\0\0'));
const ready = message('Z', Buffer.from('I'));
const question = message('Q', Buffer.from('select pg_is_in_recovery()\0'));
/** One row with one column: f. */
const isPrimary = message('D', Buffer.from([0, 1]), numberOf(1), Buffer.from('f'));

/** Starts HAProxy before database servers that trust this machine: connections lead to the one that says that it is no replica, and end when it stops. */
export async function startDatabaseProxy(servers: readonly number[]) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'portal-database-proxy-'));
  const [port, health] = [await freePort(), await freePort()];
  const config = path.join(folder, 'config');
  writeFileSync(
    config,
    `
defaults
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout check 1s
frontend health
  mode http
  bind 127.0.0.1:${health}
  monitor-uri /
  monitor fail if { nbsrv(primary) lt 1 }
listen primary
  mode tcp
  bind 127.0.0.1:${port}
  option tcp-check
  tcp-check connect
  tcp-check send-binary ${startup.toString('hex')}
  tcp-check expect binary ${ready.toString('hex')}
  tcp-check send-binary ${question.toString('hex')}
  tcp-check expect binary ${isPrimary.toString('hex')}
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${servers.map((server, n) => `  server database${n + 1} 127.0.0.1:${server} check`).join('\n')}
`,
  );
  const running = await start(haproxy!, ['-db', '-f', config], { ready: `http://127.0.0.1:${health}/` });
  return {
    port,
    async stop() {
      await running.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
