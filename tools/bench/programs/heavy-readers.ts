import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { setTimeout as pause } from 'node:timers/promises';
import { MINUTE_MS, SECOND_MS } from '@portal/contract/days';

/** Who reads what, one after the other and round again. */
export type Reader = { token: string; urls: readonly string[] };
/** Answers by their status, and how long those of 200 took, in ms. */
export type ReadHeavily = { statuses: Record<string, number>; took: number[]; bytes: number };

/** Connections that read all the time, each as somebody else, from a thread of its own. Returns what ends them. */
export function readHeavily(readers: readonly Reader[]): () => Promise<ReadHeavily> {
  const worker = new Worker(import.meta.filename, { workerData: readers });
  return async () => {
    worker.postMessage('end');
    const [read] = (await once(worker, 'message')) as [ReadHeavily];
    await worker.terminate();
    return read;
  };
}

async function readAll(readers: readonly Reader[]): Promise<void> {
  const read: ReadHeavily = { statuses: {}, took: [], bytes: 0 };
  let isOver = false;
  parentPort!.once('message', () => {
    isOver = true;
    parentPort!.postMessage(read);
  });
  await Promise.all(
    readers.map(async ({ token, urls }, number) => {
      for (let turn = number; !isOver; turn++) {
        const began = performance.now();
        const status = await fetch(urls[turn % urls.length]!, {
          headers: { authorization: `Bearer ${token}` },
          signal: AbortSignal.timeout(MINUTE_MS),
        }).then(
          async answer => {
            read.bytes += (await answer.arrayBuffer()).byteLength;
            // As the answer asks for.
            if (answer.status === 429 || answer.status === 503) await pause(Number(answer.headers.get('retry-after') ?? 1) * SECOND_MS);
            return String(answer.status);
          },
          () => 'none within a minute',
        );
        if (isOver) return;
        read.statuses[status] = (read.statuses[status] ?? 0) + 1;
        if (status === '200') read.took.push(performance.now() - began);
      }
    }),
  );
}

if (!isMainThread) await readAll(workerData as Reader[]);
