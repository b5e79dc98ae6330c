import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { freePort, productFlags } from './program.ts';

const main = path.join(import.meta.dirname, '../../apps/server/src/main.ts');

/** A program on this machine, by its name on the path. */
export const isInstalled = (program: string): boolean =>
  (spawnSync(program, ['--version'], { stdio: 'ignore' }).error as NodeJS.ErrnoException | undefined)?.code !== 'ENOENT';

export type WhoisProduct = { port: number; running: () => boolean; stop: () => Promise<void> };

/** Starts the product with these objects, loaded by its own command, answering port 43 (`whois`), or RDAP over HTTP (`web`), in a separate process. */
export async function startWhois(objects: string, role: 'whois' | 'web' = 'whois'): Promise<WhoisProduct> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'portal-whois-'));
  const port = await freePort();
  const env = {
    ...process.env,
    NODE_ENV: 'test',
    DEMO: 'off',
    DATA_DIR: folder,
    DATABASE_URL: '',
    ROLES: role,
    ...(role === 'web' ? { PORT: String(port), APP_URL: `http://127.0.0.1:${port}` } : { WHOIS_PORT: String(port) }),
  };
  const file = path.join(folder, 'objects.db');
  writeFileSync(file, objects);
  for (const words of [['import', 'rpsl', file]]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [...productFlags, main, 'registry', ...words], {
      env,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`registry ${words.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
  }
  const child: ChildProcess = spawn(process.execPath, [...productFlags, main, 'serve'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const kill = (): void => void child.kill('SIGKILL');
  process.on('exit', kill);
  let said = '';
  const ready = new Promise<void>((resolve, reject) => {
    const hear = (chunk: Buffer): void => {
      said += chunk.toString();
      if (said.includes('Ctrl-C stops it')) resolve();
    };
    child.stdout!.on('data', hear);
    child.stderr!.on('data', hear);
    child.once('exit', () => reject(new Error(`The product did not start:\n${said}`)));
  });
  await ready;
  const running = (): boolean => child.exitCode === null && child.signalCode === null;
  return {
    port,
    running,
    stop: async () => {
      if (running()) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      process.off('exit', kill);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
