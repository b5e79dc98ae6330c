import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { copyFile, type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { HOUR_MS, MINUTE_MS } from '@portal/contract/days';
import type { BucketOwner } from './bucket-owner.ts';
import { verified } from './verified-content.ts';

/** Bytes of a file from an offset; fewer where it ends. */
export type Pieces = { bytes: number; at: (offset: number, length: number) => Promise<Buffer> };

/** A received file that isn't stored yet: one of the two has to follow. */
export type Incoming = { sha256: string; pieces: Pieces; keep(): Promise<void>; drop(): Promise<void> };

/** More bytes arrived than allowed. */
export class TooLarge extends Error {}

/** Limit of a file, in bytes, and the judge of its beginning. */
export type Reception = { largest: number; firstBytes: (bytes: Buffer) => void };

/** Stores content under its SHA-256, in a place used by the registry only. Several processes may share it. */
export type FileStore = {
  /** Where content is, or would be, for operators. */
  where: (sha256: string) => string;

  /**
   * Receives a file as a stream. `firstBytes` gets its beginning as soon as it has arrived and may throw. @throws TooLarge; like any other error it leaves nothing
   */
  receive: (chunks: AsyncIterable<Uint8Array>, limits: Reception) => Promise<Incoming>;

  /** The content as a stream, or null. What is not what its name says is never read to its end: `verified`. */
  read: (sha256: string) => Promise<AsyncIterable<Uint8Array> | null>;

  /** Returns length and SHA-256 of the content under a name; the hash equals the name if it is intact; null if it doesn't exist. */
  inspect: (sha256: string) => Promise<{ bytes: number; sha256: string } | null>;

  /** As `inspect`, of what is in its place and stays there: not of what a sweep has taken out. */
  inspectInPlace: FileStore['inspect'];

  /** Copies content out of the store, whole or not at all; false if there is none. @throws ChangedContent */
  copyTo: (sha256: string, target: string) => Promise<boolean>;

  /** Copies content into it, from a file whose SHA-256 this is. It is there after a power cut too. */
  copyFrom: (source: string, sha256: string) => Promise<void>;

  /** Deletes content immediately. */
  remove: (sha256: string) => Promise<void>;

  /** Everything that is kept. */
  list: () => AsyncGenerator<string, void, void>;

  /** The same, and what a sweep has taken out and not deleted yet. */
  listEverything: () => AsyncGenerator<string, void, void>;

  /**
   * Deletes content unreferenced for an hour, and incomplete uploads. Returns how much it deleted. A concurrent upload of the same content is kept.
   */
  sweep: (sweep: Sweep) => Promise<number>;
};

export type Sweep = {
  /** A bucket of another registry is not swept. */
  owner: BucketOwner;
  /** Returns which of up to `MAX_PAGE` contents must stay. */
  named: (sha256s: readonly string[]) => Promise<ReadonlySet<string>>;
  now: Date;
};

/** Contents that one query is asked of. */
const MAX_PAGE = 1000;
/** How long, in ms, a file is open that is not read. */
const MAX_UNREAD_MS = MINUTE_MS;

/** Unreferenced content is deleted only at this age: an arriving file is on disk before its row is written. */
export const SETTLED_MS = HOUR_MS;

export const isSha256 = (name: string): boolean => /^[0-9a-f]{64}$/.test(name);
const absent = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/**
 * Files on this machine's disk. @param folder is made when the first file arrives: `<folder>/<first two digits>/<sha256>`, and `incoming/` for what is on its way.
 */
export function openFileStore(folder: string): FileStore {
  const placeOf = (sha256: string): string => placeIn(folder, sha256);
  const read: FileStore['read'] = sha256 =>
    orAbsent(async () => {
      const place = placeOf(sha256);
      // Opened now: a move deletes it here once it is elsewhere.
      return verified(openedContent(await open(place), place), sha256, place);
    });
  const inspect: FileStore['inspect'] = sha256 => orAbsent(() => measured(readFrom(placeOf(sha256))));
  return {
    where: placeOf,
    receive: (chunks, limits) => receiveFile(folder, chunks, { ...limits, keep: moveInto(folder) }),
    read,
    inspect,
    inspectInPlace: inspect,
    copyTo: async (sha256, target) => {
      const chunks = await read(sha256);
      if (!chunks) return false;
      await copyOut(chunks, target);
      return true;
    },
    copyFrom: async (source, sha256) => {
      const draft = path.join(incomingOf(folder), randomUUID());
      await mkdir(incomingOf(folder), { recursive: true, mode: 0o700 });
      try {
        await copyFile(source, draft);
        await moveInto(folder)(draft, sha256);
      } finally {
        await rm(draft, { force: true });
      }
    },
    remove: sha256 => rm(placeOf(sha256), { force: true }),
    list: () => storedIn(folder),
    listEverything: () => storedIn(folder),
    sweep: sweep => sweepStore(folder, sweep),
  };
}

async function orAbsent<T>(looking: () => Promise<T>): Promise<T | null> {
  try {
    return await looking();
  } catch (error) {
    if (absent(error)) return null;
    throw error;
  }
}

/** Writes content to a file, which is there whole or not at all. */
export async function copyOut(chunks: AsyncIterable<Uint8Array>, target: string): Promise<void> {
  const part = `${target}.part`;
  try {
    await pipeline(chunks, createWriteStream(part, { mode: 0o600 }));
    await rename(part, target);
  } finally {
    await rm(part, { force: true });
  }
}

/** Groups of what is listed, each for one query. */
export async function* inPages<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item[], void, void> {
  let page: Item[] = [];
  for await (const item of items) {
    page.push(item);
    if (page.length < MAX_PAGE) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/** The content of an open file, which is closed at its end, and where nothing reads it. */
function openedContent(handle: FileHandle, place: string): AsyncGenerator<Uint8Array, void, void> {
  let isOpen = true;
  const unread = setTimeout(() => {
    isOpen = false;
    void handle.close();
  }, MAX_UNREAD_MS).unref();
  return (async function* () {
    clearTimeout(unread);
    if (!isOpen) return yield* readFrom(place);
    try {
      for await (const chunk of handle.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>) yield chunk;
    } finally {
      await handle.close();
    }
  })();
}

/** The content of a file on this machine. */
export async function* readFrom(place: string): AsyncGenerator<Uint8Array, void, void> {
  for await (const chunk of createReadStream(place) as AsyncIterable<Buffer>) yield chunk;
}

/** Returns the length and SHA-256 of content. */
export async function measured(chunks: AsyncIterable<Uint8Array>): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of chunks) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
}

/** Puts a received file to its place, in one step. */
const moveInto =
  (folder: string) =>
  async (draft: string, sha256: string): Promise<void> => {
    const place = placeIn(folder, sha256);
    await mkdir(path.dirname(place), { recursive: true, mode: 0o700 });
    // Content, name and folder are on the disk before a row refers to it, or another copy of it is deleted.
    await synced(draft);
    await rename(draft, place);
    await synced(path.dirname(place));
    await synced(folder);
  };

async function synced(place: string): Promise<void> {
  const handle = await open(place);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Files on their way into a store. */
const incomingOf = (folder: string): string => path.join(folder, 'incoming');

function placeIn(folder: string, sha256: string): string {
  if (!isSha256(sha256)) throw new Error(`"${sha256}" is no SHA-256`);
  return path.join(folder, sha256.slice(0, 2), sha256);
}

type Receiving = Reception & { keep: (draft: string, sha256: string) => Promise<void> };

/** Receives a file on this machine's disk, in `<folder>/incoming`. @param keep stores the complete file under its SHA-256, and may take it away */
export async function receiveFile(
  folder: string,
  chunks: AsyncIterable<Uint8Array>,
  { largest, firstBytes, keep }: Receiving,
): Promise<Incoming> {
  const incoming = incomingOf(folder);
  await mkdir(incoming, { recursive: true, mode: 0o700 });
  const draft = path.join(incoming, randomUUID());
  const handle = await open(draft, 'wx+', 0o600);
  const drop = async (): Promise<void> => {
    await handle.close().catch(() => {});
    await rm(draft, { force: true });
  };
  try {
    const hash = createHash('sha256');
    let bytes = 0;
    let head = Buffer.alloc(0);
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > largest) throw new TooLarge();
      if (head.length < HEAD) {
        head = Buffer.concat([head, chunk]).subarray(0, HEAD);
        if (head.length === HEAD) firstBytes(head);
      }
      hash.update(chunk);
      await handle.write(chunk);
    }
    if (head.length < HEAD) firstBytes(head);
    const sha256 = hash.digest('hex');
    const store = async (): Promise<void> => {
      await handle.close();
      await keep(draft, sha256);
    };
    return { sha256, pieces: piecesOf(handle, bytes), keep: store, drop };
  } catch (error) {
    await drop();
    throw error;
  }
}

async function* storedIn(folder: string): AsyncGenerator<string, void, void> {
  for (const part of await namesIn(folder)) {
    if (!/^[0-9a-f]{2}$/.test(part)) continue;
    yield* (await namesIn(path.join(folder, part))).filter(isSha256);
  }
}

/** Deletes uploads that did not end within an hour. */
export async function sweepIncoming(folder: string, now: Date): Promise<number> {
  const incoming = incomingOf(folder);
  let swept = 0;
  for (const name of await namesIn(incoming)) {
    if ((await changedAt(path.join(incoming, name))) > now.getTime() - SETTLED_MS) continue;
    await rm(path.join(incoming, name), { force: true });
    swept++;
  }
  return swept;
}

async function sweepStore(folder: string, { named, now }: Sweep): Promise<number> {
  const incoming = incomingOf(folder);
  const settled = now.getTime() - SETTLED_MS;
  let swept = await sweepIncoming(folder, now);
  for await (const page of inPages(storedIn(folder))) {
    const stay = await named(page);
    for (const sha256 of page) {
      const place = placeIn(folder, sha256);
      if (stay.has(sha256) || (await changedAt(place)) > settled) continue;
      const aside = path.join(incoming, randomUUID());
      await mkdir(incoming, { recursive: true, mode: 0o700 });
      await rename(place, aside).catch((error: unknown) => {
        if (!absent(error)) throw error;
      });
      // A concurrent upload of the same content has replaced the file.
      if ((await changedAt(aside)) > settled || (await named([sha256])).has(sha256)) await rename(aside, place);
      else {
        await rm(aside, { force: true });
        swept++;
      }
    }
  }
  return swept;
}

/** Bytes that are enough to recognise a file. */
const HEAD = 1024;

const piecesOf = (handle: FileHandle, bytes: number): Pieces => ({
  bytes,
  at: async (offset, length) => {
    const start = Math.max(0, offset);
    const room = Buffer.alloc(Math.max(0, Math.min(length, bytes - start)));
    const { bytesRead } = await handle.read(room, 0, room.length, start);
    return room.subarray(0, bytesRead);
  },
});

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (absent(error)) return [];
    throw error;
  }
}

/** Returns when a file was last written, in milliseconds; 0 if it is gone. */
async function changedAt(place: string): Promise<number> {
  try {
    return (await stat(place)).mtimeMs;
  } catch (error) {
    if (absent(error)) return 0;
    throw error;
  }
}
