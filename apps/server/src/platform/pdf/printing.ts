import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/**
 * What a thread makes of what it is given, as bytes. Typesetting takes the time of many calls, loading the library more: it is done beside, one paper
 * after the other. The file of the thread hands over one message, and is ended then.
 * @throws Error when it cannot be typeset
 */
export function printerIn<Paper>(thread: URL): (paper: Paper) => Promise<Uint8Array> {
  let last: Promise<unknown> = Promise.resolve();
  return paper => {
    const printed = last.then(
      () => print(thread, paper),
      () => print(thread, paper),
    );
    last = printed.catch(() => {});
    return printed;
  };
}

async function print(file: URL, workerData: unknown): Promise<Uint8Array> {
  const thread = new Worker(file, {
    workerData,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    resourceLimits: { maxOldGenerationSizeMb: 192 },
  });
  try {
    const [pdf] = (await once(thread, 'message')) as [Uint8Array];
    return pdf;
  } finally {
    await thread.terminate();
  }
}
