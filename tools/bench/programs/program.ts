import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { MINUTE_MS, SECOND_MS } from '@portal/contract/days';
import { root, serverEnvironment, serverFlags } from '../../root.ts';

/** Benchmarks listen here, away from a portal that runs. */
export const port = Number(process.env.BENCH_PORT ?? 26260);
export const address = `http://localhost:${port}`;
const main = path.join(root, 'apps/server/src/main.ts');

/** A folder for one benchmark, removed with it. */
export function temporaryFolder(): { folder: string } & AsyncDisposable {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'portal-bench-'));
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

/** Resident memory of a process in bytes, now or at its highest; null where the system does not say. */
export function memoryOf(pid: number, which: 'VmRSS' | 'VmHWM'): number | null {
  try {
    const kilobytes = new RegExp(`${which}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes ? Number(kilobytes) * 1024 : null;
  } catch {
    return null;
  }
}

/** Seconds that a process had of a processor since it was started. */
const processorSeconds = (pid: number): number => {
  // utime and stime, in hundredths of a second; the name before them may have blanks.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
};

/** Waits until a process has caught up with what was due while it was not running: it takes less than a tenth of a processor for ten seconds. Ten minutes at most. */
export async function settled(pid: number): Promise<void> {
  const end = performance.now() + 10 * MINUTE_MS;
  for (let before = processorSeconds(pid); performance.now() < end; before = processorSeconds(pid)) {
    await pause(10 * SECOND_MS);
    if (processorSeconds(pid) - before < 1) return;
  }
}

/** Waits until the address answers 200; fails if the process ends first or after a minute. */
async function answers(url: string, child: ChildProcess, said: () => string): Promise<void> {
  const end = performance.now() + 120_000;
  for (;;) {
    if (child.exitCode !== null || performance.now() > end) throw new Error(`The program did not start.\n${said()}`);
    const ready = await fetch(url).then(
      answer => answer.ok,
      () => false,
    );
    if (ready) return;
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}

/** Waits until the program has printed this text. */
async function says(words: string, child: ChildProcess, said: () => string): Promise<void> {
  while (!said().includes(words)) {
    if (child.exitCode !== null) throw new Error(`The program did not start.\n${said()}`);
    await Promise.race([once(child.stdout!, 'data'), once(child, 'close')]);
  }
}

export type Program = { pid: number; seconds: number } & AsyncDisposable;

/** Starts the program (or a command that starts it) and waits until it is ready; a role without a web port says so itself. */
export async function startProgram(
  environment: Record<string, string>,
  command: readonly string[] = [process.execPath, ...serverFlags, main, 'serve'],
): Promise<Program> {
  const started = performance.now();
  const [file, ...args] = command;
  const child = spawn(file!, args, {
    cwd: root,
    env: { ...serverEnvironment(process.env), PORT: String(port), WHOIS_PORT: '0', APP_URL: address, DEMO: 'on', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  try {
    if (/web/.test(environment.ROLES ?? 'web')) await answers(`${environment.APP_URL ?? address}/readyz`, child, () => said);
    else await says('Ctrl-C stops it', child, () => said);
  } catch (error) {
    await stop();
    throw error;
  }
  return { pid: child.pid!, seconds: (performance.now() - started) / 1000, [Symbol.asyncDispose]: stop };
}

/** Runs a command of `npm run registry` to its end: how long it took and the most memory it had. */
export async function runCommand(words: readonly string[], environment: Record<string, string>) {
  const started = performance.now();
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, 'registry', ...words], {
    cwd: root,
    env: { ...process.env, PORT: String(port), APP_URL: address, DEMO: 'on', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  let peak = 0;
  const watch = setInterval(() => (peak = Math.max(peak, memoryOf(child.pid!, 'VmHWM') ?? 0)), 50);
  const [code] = (await once(child, 'close')) as [number | null];
  clearInterval(watch);
  if (code !== 0) throw new Error(`registry ${words.join(' ')} ended with ${code}.\n${output}`);
  return { seconds: (performance.now() - started) / 1000, peak, output };
}
