import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type Election, Refusal, type RefusalCode } from '../src/index.ts';

export type BallotQuestion = { id: number; election: string; ballot: string };
export type BallotAnswer = { id: number; refusal: { code: RefusalCode; message: string } | null };

type Waiting = { resolve: () => void; reject: (error: Error) => void };
type Thread = { worker: Worker; waiting: Map<number, Waiting> };

/** Threads of Node.js that verify ballots: the one that asks stays free for other work. */
export class BallotThreads implements AsyncDisposable {
  readonly #threads: Thread[] = [];
  readonly #count: number;
  #lastId = 0;

  /** @param count how many threads; they start when they are needed */
  constructor(count = availableParallelism()) {
    this.#count = count;
  }

  /** Ballots that are worth handing in at the same time: each thread has its next one while it works. */
  get capacity(): number {
    return 2 * this.#count;
  }

  /**
   * Verifies a ballot (`verifyBallot`). The caller limits how many wait.
   * @throws {Refusal}
   */
  check({ text: election }: Election, ballot: string): Promise<void> {
    const { worker, waiting } = this.#freest();
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      worker.postMessage({ id, election, ballot } satisfies BallotQuestion);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#threads.splice(0).map(({ worker }) => worker.terminate()));
  }

  /** A thread that does nothing; else a new one, as long as there may be more; else the one with the least to do. */
  #freest(): Thread {
    const [freest] = this.#threads.toSorted((a, b) => a.waiting.size - b.waiting.size);
    return freest && (freest.waiting.size === 0 || this.#threads.length >= this.#count) ? freest : this.#start();
  }

  #start(): Thread {
    const worker = new Worker(new URL('./ballot-thread.ts', import.meta.url));
    const thread: Thread = { worker, waiting: new Map() };
    worker.on('message', ({ id, refusal }: BallotAnswer) => {
      const asked = thread.waiting.get(id)!;
      thread.waiting.delete(id);
      if (refusal) asked.reject(new Refusal(refusal.code, refusal.message));
      else asked.resolve();
    });
    const end = (error: Error) => {
      const place = this.#threads.indexOf(thread);
      if (place >= 0) this.#threads.splice(place, 1);
      for (const { reject } of thread.waiting.values()) reject(error);
      thread.waiting.clear();
    };
    worker.on('error', error => end(error as Error));
    worker.on('exit', () => end(new Error('The thread that verifies ballots ended')));
    this.#threads.push(thread);
    return thread;
  }
}
