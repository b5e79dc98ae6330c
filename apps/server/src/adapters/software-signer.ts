import os from 'node:os';
import { Worker } from 'node:worker_threads';
import type { CaSigner, MadeKey, ToSign } from '../modules/rpki/signer.ts';
import type { Secrets } from '../platform/secret-box.ts';

/** The request to a signing thread, and its answer. */
export type SignerTask = { create: number } | { sign: readonly ToSign[] };
export type SignerQuestion = SignerTask & { id: number };
export type SignerAnswer = { id: number; created?: MadeKey[]; signatures?: Uint8Array[]; error?: string };

/** Fewer signatures than this are not worth a second thread. */
const WORTH_A_THREAD = 16;

/**
 * Signs and makes keys in threads: the sync calls of OpenSSL are the fastest there, and neither the event loop nor the four threads that files, DNS and
 * zlib share ever wait for them. Keys are made in a thread beside those that sign. Threads start when they are needed.
 */
export function softwareSigner(secrets: Secrets): CaSigner {
  const signers = Array.from({ length: Math.max(1, Math.min(4, os.availableParallelism())) }, () => lazyThread(secrets));
  const maker = lazyThread(secrets);
  let next = 0;
  return {
    createKeys: async count => {
      if (count === 0) return [];
      // A publication waits for many of them after a restore, so every thread makes some.
      const threads = count < WORTH_A_THREAD ? [maker] : signers;
      const each = Math.ceil(count / threads.length);
      const answers = await Promise.all(
        threads.map((thread, index) => thread.ask({ create: Math.max(0, Math.min(each, count - index * each)) })),
      );
      return answers.flatMap(({ created }) => created!);
    },
    sign: async all => {
      const parts = Math.max(1, Math.min(signers.length, Math.floor(all.length / WORTH_A_THREAD)));
      const size = Math.ceil(all.length / parts);
      const answers = await Promise.all(
        Array.from({ length: parts }, (_, part) =>
          signers[next++ % signers.length]!.ask({ sign: all.slice(part * size, (part + 1) * size) }),
        ),
      );
      return answers.flatMap(({ signatures }) => signatures!);
    },
    close: async () => {
      await Promise.all([...signers, maker].map(thread => thread.close()));
    },
  };
}

type Waiting = { resolve: (answer: SignerAnswer) => void; reject: (error: Error) => void };

function lazyThread(secrets: Secrets) {
  let worker: Worker | undefined;
  let lastId = 0;
  const waiting = new Map<number, Waiting>();
  const start = (): Worker => {
    const started = new Worker(new URL('./software-signer-thread.ts', import.meta.url), {
      workerData: secrets,
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    const lose = (error: Error): void => {
      if (worker === started) worker = undefined;
      for (const { reject } of waiting.values()) reject(error);
      waiting.clear();
    };
    started.on('message', (answer: SignerAnswer) => {
      const asked = waiting.get(answer.id);
      waiting.delete(answer.id);
      if (waiting.size === 0) started.unref();
      if (answer.error === undefined) asked?.resolve(answer);
      else asked?.reject(new Error(answer.error));
    });
    started.on('error', lose);
    started.on('exit', () => lose(new Error('The thread that signs ended.')));
    return started;
  };
  return {
    ask: (task: SignerTask): Promise<SignerAnswer> =>
      new Promise((resolve, reject) => {
        worker ??= start();
        const id = ++lastId;
        waiting.set(id, { resolve, reject });
        // A pending answer keeps the process alive; an idle thread does not.
        worker.ref();
        worker.postMessage({ ...task, id });
      }),
    close: async () => {
      await worker?.terminate();
    },
  };
}
