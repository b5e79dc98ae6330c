import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { inherited } from './inherited.ts';
import { killProgram } from './worker-programs.ts';

/** A program that serves portal and ballots, to be killed. `ready` is replaced as it is started anew. */
export class KillableProgram {
  ready: Promise<void> = Promise.resolve();
  readonly port: number;
  #child: ChildProcess | null = null;
  readonly #environment: Record<string, string>;
  readonly #webFolder: string;
  constructor(port: number, environment: Record<string, string>, webFolder: string) {
    this.port = port;
    this.#environment = environment;
    this.#webFolder = webFolder;
  }
  start(): Promise<void> {
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', path.join(import.meta.dirname, 'serve-smallest.ts'), this.#webFolder],
      { env: { ...inherited, ...this.#environment, PORT: String(this.port) }, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    this.#child = child;
    this.ready = new Promise((resolve, reject) => {
      let said = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => {
          said += chunk.toString();
          if (said.includes('Ctrl-C stops it')) resolve();
        });
      child.once('close', () => reject(new Error(said)));
    });
    // Those who wait ask for it; one that is killed while it starts is no error.
    this.ready.catch(() => {});
    return this.ready;
  }
  /** Whether the one that was started last runs. */
  get isRunning(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null;
  }
  kill(): Promise<void> {
    return killProgram(this.#child);
  }
}
