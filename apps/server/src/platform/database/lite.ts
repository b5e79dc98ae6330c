import fs from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { FolderInUse, lockFolder } from './folder-lock.ts';
import type { LiteReply, LiteStart } from './lite-worker.ts';

/** The embedded PostgreSQL (PGlite) in a separate thread, addressed in protocol bytes. */
export interface Lite {
  /** Executes a sequence of frontend messages and returns the backend's. Only the arbiter calls this. */
  round(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>>;
  /** An archive of the whole database, from which another `openLite` can start. */
  snapshot(): Promise<Uint8Array<ArrayBuffer>>;
  close(): Promise<void>;
  /** Calls back once if the thread ends unexpectedly. */
  onLost(callback: (error: Error) => void): void;
}

interface Waiting {
  resolve(bytes: Uint8Array<ArrayBuffer>): void;
  reject(error: Error): void;
}

let program: Promise<WebAssembly.Module> | undefined;

/** PGlite's program, compiled once for all threads of the process: 0.4 s of processor for each otherwise. */
const compiledProgram = (): Promise<WebAssembly.Module> =>
  (program ??= readFile(new URL('pglite.wasm', import.meta.resolve('@electric-sql/pglite'))).then(bytes => WebAssembly.compile(bytes)));

async function startThread(start: Omit<LiteStart, 'program'>): Promise<Lite> {
  const workerData: LiteStart = { ...start, program: await compiledProgram() };
  const worker = new Worker(new URL('./lite-worker.ts', import.meta.url), { workerData });
  const waiting = new Map<number, Waiting>();
  const lostCallbacks: ((error: Error) => void)[] = [];
  let lastId = 0;
  let lost: Error | null = null;
  let closing = false;
  const ended = new Promise<void>(resolve => worker.once('exit', () => resolve()));

  const request = (
    request: { op: 'round'; bytes: Uint8Array<ArrayBuffer> } | { op: 'snapshot' } | { op: 'close' },
  ): Promise<Uint8Array<ArrayBuffer>> => {
    if (lost) return Promise.reject(lost);
    return new Promise((resolve, reject) => {
      const id = ++lastId;
      waiting.set(id, { resolve, reject });
      worker.postMessage({ id, ...request });
    });
  };

  return new Promise<Lite>((resolve, reject) => {
    const lose = (why: string): void => {
      if (lost) return;
      lost = new Error(`The embedded database stopped: ${why}`);
      reject(lost);
      for (const ticket of waiting.values()) ticket.reject(lost);
      waiting.clear();
      if (!closing) for (const callback of lostCallbacks) callback(lost);
    };
    worker.on('error', error => lose(error instanceof Error ? error.message : String(error)));
    worker.on('exit', code => lose(closing ? 'it was closed' : `its thread ended with code ${code}`));
    worker.on('message', (message: LiteReply) => {
      if ('ready' in message) {
        resolve({
          round: bytes => request({ op: 'round', bytes: new Uint8Array(bytes) }),
          snapshot: () => request({ op: 'snapshot' }),
          close: async () => {
            closing = true;
            try {
              if (!lost) await request({ op: 'close' });
              // It ends on its own: terminating a busy thread can crash the process.
              await Promise.race([ended, pause(5_000, undefined, { ref: false })]);
            } finally {
              await worker.terminate();
            }
          },
          onLost: callback => void lostCallbacks.push(callback),
        });
      } else if ('failed' in message) {
        closing = true;
        reject(new Error(`The embedded database ${start.dir} cannot be opened: ${message.failed}`));
        void worker.terminate();
      } else {
        const ticket = waiting.get(message.id);
        if (!ticket) return;
        waiting.delete(message.id);
        if ('message' in message) ticket.reject(new Error(message.message));
        else ticket.resolve(message.bytes ?? new Uint8Array());
      }
    });
  });
}

/** Returns the bytes in a buffer of their own; shared memory reaches the thread without a copy. */
async function bytesOf(snapshot: Blob | Uint8Array): Promise<Uint8Array> {
  if (snapshot instanceof Blob) return new Uint8Array(await snapshot.arrayBuffer());
  return snapshot.byteLength === snapshot.buffer.byteLength ? snapshot : new Uint8Array(snapshot);
}

/** Locks the folder; a process that is just ending (a restart) gets two seconds to release it. */
async function lockSoon(folder: string): Promise<() => void> {
  for (let waited = 0; ; waited += 100) {
    try {
      return lockFolder(folder);
    } catch (error) {
      if (!(error instanceof FolderInUse) || error.pid === process.pid || waited >= 2_000) throw error;
      await pause(100);
    }
  }
}

/**
 * Opens the embedded database in a folder, or in memory (`memory://`), the latter from a snapshot if one is given.
 * A folder belongs to one process: a second one is refused with a sentence naming the first.
 */
export async function openLite(dir: string, snapshot?: Blob | Uint8Array): Promise<Lite> {
  if (dir.startsWith('memory:')) return startThread({ dir: 'memory://', snapshot: snapshot ? await bytesOf(snapshot) : null });
  if (snapshot) throw new Error('A snapshot can be opened in memory only; restore a backup to fill a folder.');

  const folder = path.resolve(dir);
  const release = await lockSoon(folder);
  try {
    // A first start that was killed leaves an incomplete database that was never used; the marker beside it says so.
    const mark = `${folder}.creating`;
    if (fs.existsSync(mark)) fs.rmSync(folder, { recursive: true, force: true });
    const isNew = !fs.existsSync(path.join(folder, 'PG_VERSION'));
    if (isNew && fs.existsSync(folder) && fs.readdirSync(folder).length > 0)
      throw new Error(`The folder ${folder} holds files that are not a database; name an empty or a new one.`);
    if (isNew) fs.writeFileSync(mark, '');
    let thread = await startThread({ dir: folder, snapshot: null });
    if (isNew) {
      // Creating a database leaves half a gigabyte in the thread; a fresh one needs a third of that.
      await thread.close();
      fs.rmSync(mark);
      thread = await startThread({ dir: folder, snapshot: null });
    }
    const opened = thread;
    opened.onLost(release);
    return {
      ...opened,
      close: async () => {
        try {
          await opened.close();
        } finally {
          release();
        }
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}
