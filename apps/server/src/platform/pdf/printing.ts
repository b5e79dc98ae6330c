import { on } from 'node:events';
import { Worker } from 'node:worker_threads';

/**
 * Returns a function that typesets a document in a thread and returns its bytes. Typesetting takes as long as many calls, and loading the library longer, so it runs beside the server, one document
 * after the other. The thread's file sends one message and is then terminated.
 * @throws Error if it cannot be typeset
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
    // Under --watch Node itself sends messages too: which files the thread imports.
    for await (const [message] of on(thread, 'message', { close: ['exit'] })) if (message instanceof Uint8Array) return message;
    throw new Error('The thread ended without a document.');
  } finally {
    await thread.terminate();
  }
}
