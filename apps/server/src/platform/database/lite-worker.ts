import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { SnapshotFiles } from './snapshot-files.ts';

declare global {
  /** The part of WebAssembly used here; Node.js has it, but only the browser's type declarations describe it. */
  namespace WebAssembly {
    interface Module {
      readonly [Symbol.toStringTag]: string;
    }
    function compile(bytes: Uint8Array): Promise<Module>;
  }
}

/** Start parameters of the thread: a folder or `memory://`, and initial data. */
export interface LiteStart {
  dir: string;
  snapshot: Uint8Array | null;
  /** The compiled program, which threads of one process share. */
  program: WebAssembly.Module;
}

export type LiteRequest = { id: number } & ({ op: 'round'; bytes: Uint8Array<ArrayBuffer> } | { op: 'snapshot' } | { op: 'close' });

export type LiteReply =
  | { ready: true }
  | { failed: string }
  | { id: number; bytes: Uint8Array<ArrayBuffer> | null }
  | { id: number; message: string };

const port = parentPort;
if (!port) throw new Error('lite-worker.ts runs as a worker thread of lite.ts');

const { dir, snapshot, program } = workerData as LiteStart;
const reply = (message: LiteReply, transfer: ArrayBuffer[] = []): void => port.postMessage(message, transfer);
/** Error numbers of its file system (WASI errno), thrown in objects that aren't Errors and carry nothing else. */
const fileSystem: Readonly<Record<number, string>> = {
  2: 'this program may not use a file of it',
  29: 'the disk does not answer',
  51: 'the disk is full',
  69: 'its file system can only be read',
};
const wordsOf = (error: unknown): string => {
  if (error instanceof Error && error.message !== '') return error.message;
  const { errno, message } = error as { errno?: number; message?: string };
  return message || (errno === undefined ? JSON.stringify(error) : (fileSystem[errno] ?? `its file system answers with number ${errno}`));
};

const lite = new PGlite({
  ...(snapshot ? { fs: new SnapshotFiles(snapshot) } : { dataDir: dir }),
  pgliteWasmModule: program,
  extensions: { btree_gist, pg_trgm },
  postgresqlconf: [
    'shared_buffers=16MB',
    'max_wal_size=128MB',
    "timezone='UTC'",
    // Filling with zeroes reserves space on a disk; in memory it would write each WAL file twice, and copy it as it grows.
    ...(dir.startsWith('memory:') ? ['wal_init_zero=off'] : []),
  ],
});
lite.waitReady.then(
  () => reply({ ready: true }),
  (error: unknown) => reply({ failed: wordsOf(error) }),
);

/** Runs frontend messages and returns the backend's. Streamed, because PGlite's other method parses every message and never frees it. */
async function round(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  // The value passed is a view of its memory.
  await lite.execProtocolRawStream(bytes, { syncToFs: false, onRawData: part => void parts.push(new Uint8Array(part)) });
  if (parts.length === 1) return parts[0]!;
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

async function answer(request: LiteRequest): Promise<void> {
  try {
    if (request.op === 'round') {
      const bytes = await round(request.bytes);
      reply({ id: request.id, bytes }, [bytes.buffer]);
    } else if (request.op === 'snapshot') {
      const bytes = new Uint8Array(await (await lite.dumpDataDir('none')).arrayBuffer());
      reply({ id: request.id, bytes }, [bytes.buffer]);
    } else {
      await lite.close();
      reply({ id: request.id, bytes: null });
      port?.close();
    }
  } catch (error) {
    reply({ id: request.id, message: wordsOf(error) });
  }
}

port.on('message', (request: LiteRequest) => {
  // `node --watch` sends messages of its own through this channel.
  if (typeof request?.id === 'number') void answer(request);
});
