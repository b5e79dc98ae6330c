import { execFile, spawn } from 'node:child_process';
import fs from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Config } from '../../../config.ts';
import type { Log } from '../../../platform/log.ts';
import { rsyncdConfiguration } from './rsyncd.ts';

type Settings = Pick<Config, 'rpkiRsyncBase' | 'rpkiDir'>;

/** Maximum number of concurrent downloads. A public registry runs its own rsyncd. */
const MAX_CONNECTIONS = 20;

/**
 * Serves the repository by rsync if its address is this machine, so that a validator can read the demo registry without further set-up. Each
 * connection gets its own rsync process, as with inetd, so no daemon is left behind when this process is killed. Returns a message for the start.
 */
export async function openRsyncServer(config: Settings, log: Log): Promise<{ announcement: string | null; close: () => Promise<void> }> {
  const closed = async (): Promise<void> => {};
  const { hostname, port } = new URL(config.rpkiRsyncBase.replace(/^rsync:/, 'http:'));
  if (!['localhost', '127.0.0.1', '[::1]'].includes(hostname)) return { announcement: null, close: closed };
  const isInstalled = await promisify(execFile)('rsync', ['--version']).then(
    () => true,
    () => false,
  );
  if (!isInstalled)
    return {
      announcement: `rsync isn’t installed, so nothing answers at ${config.rpkiRsyncBase}: validators that run on this machine need it`,
      close: closed,
    };
  const settings = path.join(config.rpkiDir, 'rsyncd.conf');
  await fs.mkdir(config.rpkiDir, { recursive: true });
  await fs.writeFile(settings, rsyncdConfiguration(config));
  const server = net.createServer({ pauseOnConnect: true }, socket => {
    socket.on('error', () => {});
    const child = spawn('rsync', ['--daemon', `--config=${settings}`, '.'], { stdio: [socket, socket, 'ignore'] });
    child.on('error', error => log.warn('rsync did not start', { error }));
    socket.destroy();
  });
  server.maxConnections = MAX_CONNECTIONS;
  const isOpen = await new Promise<boolean>(resolve => {
    server.once('error', () => resolve(false));
    server.listen(Number(port || 873), hostname === '[::1]' ? '::1' : '127.0.0.1', () => resolve(true));
  });
  if (!isOpen) {
    log.warn('another program listens where the RPKI repository would be read by rsync', { address: config.rpkiRsyncBase });
    return { announcement: null, close: closed };
  }
  server.on('error', error => log.warn('a validator could not connect by rsync', { error }));
  return {
    announcement: `Validators read it at ${config.rpkiRsyncBase}`,
    close: () => new Promise(resolve => server.close(() => resolve())),
  };
}
