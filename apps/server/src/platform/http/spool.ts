import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

/** Bytes that weren't read yet and stay in memory; those beyond go to a file. */
const IN_MEMORY = 1024 * 1024;
/** While all spools of the process have so many bytes in files, no other begins: the temporary folder of a container is often memory. */
const MAX_ON_DISK = 512 * 1024 * 1024;
/** So many bytes are read from the file at a time. */
const PART = 64 * 1024;

/**
 * Keeps what is made quickly for a reader who takes it slowly: who makes it never waits for the reader, and so gives back connections of the database and its place in the lane.
 * Beyond a megabyte it lies in a file of the system's temporary folder, which has no name from the start and ends with the spool or the process.
 */
export class Spool {
  static #onDisk = 0;
  #memory: Uint8Array[] = [];
  #bytesInMemory = 0;
  #file: FileHandle | null = null;
  #written = 0;
  #read = 0;
  #state: 'growing' | 'whole' | 'failed' | 'dropped' = 'growing';
  #failure: unknown;
  #wake = (): void => {};

  /** Whether too much lies in files of this process already, because readers are slow. */
  static get isFull(): boolean {
    return Spool.#onDisk >= MAX_ON_DISK;
  }

  /** Whether no one reads it any more. */
  get isDropped(): boolean {
    return this.#state === 'dropped';
  }

  /** Adds a part behind all others. Waits for the disk alone. */
  async add(part: string | Uint8Array): Promise<void> {
    if (this.isDropped) return;
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    if (this.#file === null && this.#bytesInMemory + bytes.length <= IN_MEMORY) {
      this.#memory.push(bytes);
      this.#bytesInMemory += bytes.length;
    } else {
      this.#file ??= await namelessFile();
      // The reader went away meanwhile, and didn't know of the file.
      if (this.isDropped) return await this.#file.close();
      await this.#file.write(bytes, 0, bytes.length, this.#written);
      this.#written += bytes.length;
      Spool.#onDisk += bytes.length;
    }
    this.#wake();
  }

  /** Says that all parts were added, or why there are no more of them: then the reader gets that error after what was made. */
  end(failure?: { error: unknown }): void {
    if (this.isDropped) return;
    this.#state = failure ? 'failed' : 'whole';
    this.#failure = failure?.error;
    this.#wake();
  }

  /** Gives all parts in their order, once, as they come. */
  async *read(): AsyncGenerator<Uint8Array, void, void> {
    try {
      while (!this.isDropped) {
        const part = await this.#next();
        if (part) yield part;
        else if (this.#state === 'whole') return;
        else if (this.#state === 'failed') throw this.#failure;
        else await new Promise<void>(resolve => (this.#wake = resolve));
      }
    } finally {
      this.#state = 'dropped';
      this.#memory = [];
      Spool.#onDisk -= this.#written;
      this.#written = 0;
      await this.#file?.close();
    }
  }

  /** Returns the next part that is there; null where none is. What is in memory came before what is in the file. */
  async #next(): Promise<Uint8Array | null> {
    const part = this.#memory.shift();
    if (part) {
      this.#bytesInMemory -= part.length;
      return part;
    }
    if (this.#file === null || this.#read === this.#written) return null;
    const length = Math.min(PART, this.#written - this.#read);
    const { buffer, bytesRead } = await this.#file.read(Buffer.allocUnsafe(length), 0, length, this.#read);
    this.#read += bytesRead;
    return buffer.subarray(0, bytesRead);
  }
}

async function namelessFile(): Promise<FileHandle> {
  const name = path.join(os.tmpdir(), `portal-download-${randomUUID()}`);
  const file = await open(name, 'wx+', 0o600);
  await unlink(name);
  return file;
}
