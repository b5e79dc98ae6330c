import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { root } from '../../root.ts';

/** The port of the first server; others take the next ones, away from a portal that runs. */
const firstPort = Number(process.env.BENCH_PORT ?? 26260);

export type SignInProgram = {
  /** Its address. */
  origin: string;
  /** Asks the server something, see sign-in-server.ts. */
  ask<T>(what: 'codes' | 'watch' | 'report'): Promise<T>;
} & AsyncDisposable;

/**
 * Starts sign-in-server.ts in a separate process.
 * @param place index of its port among the running ones, from 0
 * @param beside index of the one whose addresses it uses as its own: a second process of the same portal
 */
export async function startSignIn(
  environment: Record<string, string>,
  { place = 0, beside = place }: { place?: number; beside?: number } = {},
): Promise<SignInProgram> {
  const appUrl = `http://localhost:${firstPort + beside}`;
  const origin = `http://localhost:${firstPort + place}`;
  const child: ChildProcess = fork(path.join(root, 'tools/bench/programs/sign-in-server.ts'), {
    cwd: root,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'development',
      DEMO: 'off',
      LOG_LEVEL: 'error',
      APP_URL: appUrl,
      PORT: new URL(origin).port,
      TRUSTED_HOSTS: new URL(origin).host,
      ...environment,
    },
    silent: true,
  });
  let said = '';
  for (const stream of [child.stdout!, child.stderr!]) stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  const end = performance.now() + 120_000;
  for (;;) {
    if (child.exitCode !== null || performance.now() > end) {
      await stop();
      throw new Error(`The server did not start.\n${said}`);
    }
    const ready = await fetch(`${origin}/readyz`).then(
      answer => answer.ok,
      () => false,
    );
    if (ready) break;
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  return {
    origin,
    ask: async <T>(what: string) => {
      const answered = once(child, 'message');
      child.send(what);
      const [answer] = (await answered) as [T];
      return answer;
    },
    [Symbol.asyncDispose]: stop,
  };
}
