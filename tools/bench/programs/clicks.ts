import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { MINUTE_MS } from '@portal/contract/days';
import { kinds } from '../../../apps/server/test/chaos/writers.ts';

/** Pause, in ms, after which a member changes something again. */
const EVERY_MS = 150;
/** Changes that are made in turns: to a row of their own, to an object of whois, a new ticket. */
const pressed = ['preferences', 'whois', 'ticket'] as const;

type Given = { address: string; tokens: Record<string, string> };

/** Members who change something all the time, from a thread of its own, so that what the benchmark does itself isn't measured. */
export type Clicks = {
  /** How long each change since the last call took, in ms; one that failed counts as a minute. */
  taken(): Promise<number[]>;
  end(): Promise<unknown>;
};

/** @param tokens bearers of those who press, by their names */
export function startClicks(address: string, tokens: Record<string, string>): Clicks {
  const worker = new Worker(import.meta.filename, { workerData: { address, tokens } satisfies Given });
  return {
    async taken() {
      worker.postMessage('taken');
      return ((await once(worker, 'message')) as [number[]])[0];
    },
    end: () => worker.terminate(),
  };
}

async function press({ address, tokens }: Given): Promise<never> {
  let took: number[] = [];
  parentPort!.on('message', () => {
    parentPort!.postMessage(took);
    took = [];
  });
  for (let number = 0; ; number++) {
    const { endpoint, path, body, person } = kinds[pressed[number % pressed.length]!](number);
    const began = performance.now();
    const isFine = await fetch(`${address}${path}`, {
      method: endpoint.method,
      headers: {
        authorization: `Bearer ${tokens[person]}`,
        'content-type': 'application/json',
        'idempotency-key': `jobs-${process.pid}-${number}`,
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(MINUTE_MS),
    }).then(
      async answer => {
        await answer.arrayBuffer();
        return answer.status < 500;
      },
      () => false,
    );
    took.push(isFine ? performance.now() - began : MINUTE_MS);
    await pause(EVERY_MS);
  }
}

if (!isMainThread) await press(workerData as Given);
