import os from 'node:os';
import { Worker } from 'node:worker_threads';
import type { CaSigner, MadeKey, ToSign } from '../modules/rpki/authorities/signer.ts';
import type { Secrets } from '../platform/secret-box.ts';

/** The request to a signing thread, and its answer. */
export type SignerTask = { create: number } | { sign: readonly ToSign[] };
export type SignerRequest = SignerTask & { id: number };
export type SignerResponse = { id: number; created?: MadeKey[]; signatures?: Uint8Array[]; error?: string };

/** Fewer signatures than this are not worth a second thread. */
const WORTH_A_THREAD = 16;

/**
 * Signs and makes keys in threads: the sync calls of OpenSSL are the fastest there, and neither the event loop nor the four threads that files, DNS and
 * zlib share ever wait for them. Keys are made in a thread beside those that sign. Threads start when they are needed.
 */
export function softwareSigner(secrets: Secrets): CaSigner {
  const signers = Array.from({ length: Math.max(1, Math.min(4, os.availableParallelism())) }, () => lazyThread(secrets));
  const maker = lazyThread(secrets);
  return {
    createAuthorityKey: async () => (await maker.send({ create: 1 })).created![0]!,
    createKeys: async count => {
      if (count === 0) return [];
      // A publication waits for many of them after a restore, so every thread makes some.
      const threads = count < WORTH_A_THREAD ? [maker] : signers;
      const each = Math.ceil(count / threads.length);
      const answers = await Promise.all(
        threads.map((thread, index) => thread.send({ create: Math.max(0, Math.min(each, count - index * each)) })),
      );
      return answers.flatMap(({ created }) => created!);
    },
    sign: async all => {
      const parts = threadsFor(all, Math.max(1, Math.min(signers.length, Math.floor(all.length / WORTH_A_THREAD))), signers.length);
      const signatures = Array.from<Uint8Array>({ length: all.length });
      await Promise.all(
        parts.map(async (places, thread) => {
          if (places.length === 0) return;
          const response = await signers[thread]!.send({ sign: places.map(place => all[place]!) });
          for (const [index, place] of places.entries()) signatures[place] = response.signatures![index]!;
        }),
      );
      return signatures;
    },
    close: async () => {
      await Promise.all([...signers, maker].map(thread => thread.close()));
    },
  };
}

/** Cost of a signature by a key that is opened for it, beside one by a key that is open. */
const ONCE_COST = 2.3;

/**
 * Divides what is to be signed among threads, by its places. The key of an authority is always signed with in the same thread, where it is open already, as long as that thread
 * has no more to do than the others (the registry's own key signs more than all others together); one-time keys fill up the rest.
 */
export function threadsFor(all: readonly Pick<ToSign, 'keyIdentifier' | 'isOnce'>[], parts: number, threads: number): number[][] {
  const places: number[][] = Array.from({ length: threads }, () => []);
  const homeOf = (keyIdentifier: string): number => Number.parseInt(keyIdentifier.slice(-6), 16) % threads;
  if (parts === 1) {
    const first = all.find(({ isOnce }) => !isOnce) ?? all[0];
    if (first) places[homeOf(first.keyIdentifier)] = [...all.keys()];
    return places;
  }
  const loads = places.map(() => 0);
  const fair = all.reduce((sum, { isOnce }) => sum + (isOnce ? ONCE_COST : 1), 0) / threads;
  const assign = (place: number, thread: number, cost: number): void => {
    places[thread]!.push(place);
    loads[thread]! += cost;
  };
  const idlest = (): number => loads.indexOf(Math.min(...loads));
  for (const [place, { keyIdentifier, isOnce }] of all.entries()) {
    if (isOnce) continue;
    const home = homeOf(keyIdentifier);
    assign(place, loads[home]! < fair ? home : idlest(), 1);
  }
  for (const [place, { isOnce }] of all.entries()) if (isOnce) assign(place, idlest(), ONCE_COST);
  return places;
}

type Waiting = { resolve: (response: SignerResponse) => void; reject: (error: Error) => void };

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
    started.on('message', (response: SignerResponse) => {
      const pending = waiting.get(response.id);
      waiting.delete(response.id);
      if (waiting.size === 0) started.unref();
      if (response.error === undefined) pending?.resolve(response);
      else pending?.reject(new Error(response.error));
    });
    started.on('error', lose);
    started.on('exit', () => lose(new Error('The thread that signs ended.')));
    return started;
  };
  return {
    send: (task: SignerTask): Promise<SignerResponse> =>
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
