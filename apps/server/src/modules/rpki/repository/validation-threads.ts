import os from 'node:os';
import { Worker } from 'node:worker_threads';
import { type AuthorityCertificate, type Decoded, decodeCertificate, validateAuthority, type PublishedFiles } from '@portal/rpki-objects';
import { nodeCryptography } from '../authorities/cryptography.ts';

/** An authority with everything that it publishes. */
export type PublishedAuthority = { certificate: Uint8Array; files: PublishedFiles };
/** The request to a validating thread, and its answer. */
export type ValidationRequest = { id: number; now: number; authorities: readonly PublishedAuthority[] };
export type ValidationResponse = { id: number; problems: string[]; error?: string };

/** Fewer authorities than this are validated in this thread, because starting one takes longer. */
const WORTH_THREADS = 50;
/** Authorities that a thread validates at a time. */
const AT_ONCE = 10;

/** Threads of this process. They are started by a large publication, because loading the program costs more than most publications, and end with it. */
const threads = new Map<number, Worker>();

function threadAt(place: number): Worker {
  const known = threads.get(place);
  if (known) return known;
  const started = new Worker(new URL('./validation-thread.ts', import.meta.url), { execArgv: ['--disable-warning=ExperimentalWarning'] });
  // Waiting calls get the error; otherwise it is just restarted.
  started.on('error', () => {});
  started.once('exit', () => {
    if (threads.get(place) === started) threads.delete(place);
  });
  threads.set(place, started);
  return started;
}

/** Returns a sentence for each file that a relying party would refuse. Many authorities are validated in threads. */
export async function validateAuthorities(authorities: readonly PublishedAuthority[], now: Date): Promise<string[]> {
  if (authorities.length < WORTH_THREADS)
    return authorities.flatMap(({ certificate, files }) =>
      validateAuthority(decodeCertificate(certificate) as Decoded<AuthorityCertificate>, files, {
        now,
        cryptography: nodeCryptography,
      }).problems.map(({ uri, problem }) => `${uri}: ${problem}`),
    );
  const parts = Array.from({ length: Math.ceil(authorities.length / AT_ONCE) }, (_, part) =>
    authorities.slice(part * AT_ONCE, (part + 1) * AT_ONCE),
  );
  const problems: string[][] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: Math.min(4, os.availableParallelism()) }, async (_, place) => {
      for (let part = next++; part < parts.length; part = next++)
        problems[part] = await validateInThread(threadAt(place), now, parts[part]!);
    }),
  );
  return problems.flat();
}

let lastId = 0;

const validateInThread = (thread: Worker, now: Date, authorities: readonly PublishedAuthority[]): Promise<string[]> =>
  new Promise((resolve, reject) => {
    const id = ++lastId;
    const finish = (end: () => void): void => {
      thread.off('message', listen).off('error', fail).off('exit', lose);
      // An idle thread doesn't keep the process alive.
      if (thread.listenerCount('message') === 0) thread.unref();
      end();
    };
    const listen = (answer: ValidationResponse): void => {
      if (answer.id !== id) return;
      finish(() => (answer.error === undefined ? resolve(answer.problems) : reject(new Error(answer.error))));
    };
    const fail = (error: Error): void => finish(() => reject(error));
    const lose = (): void => fail(new Error('The thread that reads the publication ended.'));
    thread.on('message', listen).on('error', fail).on('exit', lose);
    thread.ref();
    thread.postMessage({ id, now: now.getTime(), authorities } satisfies ValidationRequest);
  });
