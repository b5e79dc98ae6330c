import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { inherited } from './inherited.ts';

/** The server as it is started in production. */
export const serverProgram = path.join(import.meta.dirname, '../../src/main.ts');

/** Ends a program as a power cut does, and waits until it is gone; nothing happens where it has ended. */
export async function killProgram(program: ChildProcess | null): Promise<void> {
  if (!program || program.exitCode !== null || program.signalCode !== null) return;
  program.kill('SIGKILL');
  await once(program, 'exit');
}

/** Starts programs with the role `worker` on a database. `stop` kills those that still run. */
export async function workerPrograms(databaseUrl: string): Promise<{ start: () => ChildProcess; stop: () => Promise<void> }> {
  const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'portal-workers-'));
  const workers: ChildProcess[] = [];
  return {
    start: () => {
      const worker = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', serverProgram, 'serve'], {
        env: { ...inherited, NODE_ENV: 'test', DATA_DIR: folder, DATABASE_URL: databaseUrl, ROLES: 'worker', DEMO: 'on' },
        stdio: 'ignore',
      });
      workers.push(worker);
      return worker;
    },
    stop: async () => {
      for (const worker of workers) await killProgram(worker);
      await fs.rm(folder, { recursive: true, force: true });
    },
  };
}
