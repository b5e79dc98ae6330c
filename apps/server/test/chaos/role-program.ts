import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import path from 'node:path';
import { inherited } from '../processes/inherited.ts';

const program = path.join(import.meta.dirname, '../processes/serve-smallest.ts');
/** Characters of its output that are kept. */
const MAX_KEPT = 20_000;

/** A process of the registry with some of its roles, which may be killed, stopped, halted and started again. */
export class RoleProgram {
  readonly name: string;
  readonly #webFolder: string;
  readonly #environment: Record<string, string>;
  readonly #onEnd: (sentence: string) => void;
  #child: ChildProcess | null = null;
  #isMeant = false;
  #said = '';
  /** @param onEnd called with a sentence when it ends though no one ended it */
  constructor(
    name: string,
    { webFolder, environment, onEnd }: { webFolder: string; environment: Record<string, string>; onEnd: (sentence: string) => void },
  ) {
    this.name = name;
    this.#webFolder = webFolder;
    this.#environment = environment;
    this.#onEnd = onEnd;
  }

  /** Starts it. @returns when it says that it is ready */
  async start(): Promise<void> {
    const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, this.#webFolder], {
      env: { ...inherited, ...this.#environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    this.#isMeant = false;
    // What harms it may be ended itself.
    const end = (): void => void child.kill('SIGKILL');
    process.once('exit', end);
    child.once('exit', () => process.off('exit', end));
    const ready = Promise.withResolvers<void>();
    let isReady = false;
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#said = (this.#said + text).slice(-MAX_KEPT);
        if (!isReady && this.#said.includes('Ctrl-C stops it')) {
          isReady = true;
          ready.resolve();
        }
      });
    child.once('exit', (code, signal) => {
      if (this.#isMeant) return ready.resolve();
      const sentence = `${this.name} ended by itself (${signal ?? `code ${code}`}): ${this.#said.slice(-1_500)}`;
      ready.reject(new Error(sentence));
      this.#onEnd(sentence);
    });
    await ready.promise;
  }

  /** Returns its share of the machine now: bytes of memory, and open files with connections. Linux alone says so. */
  async takes(): Promise<{ memory: number; files: number }> {
    const folder = `/proc/${this.#child?.pid}`;
    const [, kilobytes = '0'] = /^VmRSS:\s+(\d+)/m.exec(await fs.readFile(`${folder}/status`, 'utf8')) ?? [];
    return { memory: Number(kilobytes) * 1_024, files: (await fs.readdir(`${folder}/fd`)).length };
  }

  /** The end of its output. */
  get said(): string {
    return this.#said;
  }

  async #end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    this.#isMeant = true;
    this.#said = '';
    const gone = once(child, 'exit');
    child.kill(signal);
    await gone;
  }
  /** Ends it as a power cut does. */
  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }
  /** Ends it as an operator does. */
  stop(): Promise<void> {
    return this.#end('SIGTERM');
  }
  /** Halts it as a machine that sleeps, until `wake`. */
  halt(): void {
    this.#child?.kill('SIGSTOP');
  }
  wake(): void {
    this.#child?.kill('SIGCONT');
  }
}
