import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import net from 'node:net';
import { SECOND_MS } from '@portal/contract/days';
import { setTimeout as wait } from 'node:timers/promises';
import { commandFlags } from '../../apps/server/src/cli/command-flags.ts';

/**
 * Flags of Node.js for a server of the product that tests start: those of commands, for it ends before a faster database pays. Compiling the embedded database a second time is a third of what a start costs.
 */
export const productFlags: readonly string[] = ['--disable-warning=ExperimentalWarning', ...commandFlags];

/** The first of these files that is on this machine; null: the program is not installed. */
export const installed = (...files: readonly string[]): string | null => files.find(file => existsSync(file)) ?? null;

/** Returns a TCP port of this machine that is free. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = net.createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo;
      server.close(() => resolve(port));
    });
  });

export type Running = { stop: () => Promise<void>; output: () => string };

/**
 * Starts a program that writes to its standard streams, or to the file `log`, and waits until it answers at the address with any HTTP status but a server's error. It ends with `stop`, and with this process.
 * @throws Error with what the program wrote when it does not.
 */
export async function start(
  file: string,
  args: readonly string[],
  { ready, environment = {}, seconds = 30, log }: { ready: string; environment?: Record<string, string>; seconds?: number; log?: string },
): Promise<Running> {
  const child = spawn(file, args, { env: { ...process.env, ...environment }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', chunk => {
      output = `${output}${String(chunk)}`.slice(-20_000);
    });
  }
  const said = (): string => output + (log && existsSync(log) ? readFileSync(log, 'utf8').slice(-20_000) : '');
  const gone = ended(child);
  const kill = (): void => void child.kill('SIGKILL');
  process.on('exit', kill);
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await Promise.race([gone, wait(5000, undefined, { ref: false }).then(kill)]);
    process.off('exit', kill);
  };
  for (const until = Date.now() + seconds * SECOND_MS; Date.now() < until; ) {
    const answered = await fetch(ready, { redirect: 'manual', signal: AbortSignal.timeout(1000) }).then(
      answer => answer.status < 500,
      () => false,
    );
    if (answered) return { stop, output: said };
    if (child.exitCode !== null) break;
    await wait(100);
  }
  await stop();
  throw new Error(`${file} does not answer at ${ready}:\n${said()}`);
}

const ended = (child: ChildProcess): Promise<void> => new Promise(resolve => child.once('exit', () => resolve()));
