import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { MINUTE_MS } from '@portal/contract/days';

/** How often, in ms, others ask. */
const PROBE_MS = 50;

type Asked = { url: string; headers: Record<string, string> };

/**
 * Asks an address again and again, from a thread of its own: what the benchmark sends meanwhile is made elsewhere, and so isn't measured.
 * Returns what ends it and answers how long each answer took, in ms; one that never came counts as a minute.
 */
export function probe(url: string, headers: Record<string, string>): () => Promise<number[]> {
  const worker = new Worker(import.meta.filename, { workerData: { url, headers } satisfies Asked });
  return async () => {
    worker.postMessage('end');
    const [took] = (await once(worker, 'message')) as [number[]];
    await worker.terminate();
    return took;
  };
}

async function ask({ url, headers }: Asked): Promise<void> {
  const took: number[] = [];
  let isOver = false;
  parentPort!.once('message', () => {
    isOver = true;
  });
  while (!isOver) {
    const began = performance.now();
    const isFine = await fetch(url, { headers, signal: AbortSignal.timeout(MINUTE_MS) }).then(
      async answer => {
        await answer.arrayBuffer();
        return answer.ok;
      },
      () => false,
    );
    took.push(isFine ? performance.now() - began : MINUTE_MS);
    await pause(PROBE_MS);
  }
  parentPort!.postMessage(took);
}

if (!isMainThread) await ask(workerData as Asked);
