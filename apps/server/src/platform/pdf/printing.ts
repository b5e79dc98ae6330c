import { on } from 'node:events';
import { Worker } from 'node:worker_threads';

/** How long a thread waits for another document. Loading the library takes ten times as long as a page, but its memory should be freed between runs. */
const IDLE_MS = 5_000;

/**
 * Returns a function that typesets a document in a thread and returns its bytes. Typesetting takes as long as many calls, and loading the library longer, so it runs beside the server, one document
 * after the other. The thread's file calls `typesetEach` (`printing-thread.ts`). The thread stays for a few seconds after a document, because invoices come by the hundred, and keeps no process alive.
 * @throws Error if it cannot be typeset
 */
export function printerIn<Paper>(file: URL): (paper: Paper) => Promise<Uint8Array> {
  let last: Promise<unknown> = Promise.resolve();
  let thread: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  const end = async (): Promise<void> => {
    const ended = thread;
    thread = undefined;
    await ended?.terminate();
  };
  const print = async (paper: Paper): Promise<Uint8Array> => {
    clearTimeout(idle);
    thread ??= startedThread(file);
    try {
      thread.ref();
      const pdf = await documentOf(thread, paper);
      thread.unref();
      idle = setTimeout(() => void end(), IDLE_MS).unref();
      return pdf;
    } catch (error) {
      await end();
      throw error;
    }
  };
  return paper => {
    const printed = last.then(
      () => print(paper),
      () => print(paper),
    );
    last = printed.catch(() => {});
    return printed;
  };
}

function startedThread(file: URL): Worker {
  const thread = new Worker(file, {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    resourceLimits: { maxOldGenerationSizeMb: 192 },
  });
  // A thread that fails while idle is replaced; one that fails on a document fails that document.
  thread.on('error', () => {});
  return thread;
}

async function documentOf(thread: Worker, paper: unknown): Promise<Uint8Array> {
  const messages = on(thread, 'message', { close: ['exit'] });
  thread.postMessage(paper);
  // Under --watch Node itself sends messages too: which files the thread imports.
  for await (const [message] of messages) if (message instanceof Uint8Array) return message;
  throw new Error('The thread ended without a document.');
}
