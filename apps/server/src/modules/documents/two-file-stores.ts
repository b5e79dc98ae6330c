import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { type FileStore, measured, readFrom } from './file-store.ts';
import { ChangedContent } from './verified-content.ts';

/**
 * A store that content is written to, and another one that it is also found in, while files move from one to the other. What one has is looked for there again once the
 * other has not: it may just have been moved.
 */
export function openTwoFileStores(first: FileStore, other: FileStore): FileStore {
  const inEither = async <T>(look: (store: FileStore) => Promise<T | null>): Promise<T | null> => {
    const failures: unknown[] = [];
    for (const store of [first, other, first]) {
      try {
        const found = await look(store);
        if (found !== null) return found;
      } catch (error) {
        // The other one may have it, and be well.
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
    return null;
  };
  const listOf = async function* (list: (store: FileStore) => AsyncIterable<string>): AsyncGenerator<string, void, void> {
    const listed = new Set<string>();
    for (const store of [first, other])
      for await (const sha256 of list(store)) {
        if (listed.has(sha256)) continue;
        listed.add(sha256);
        yield sha256;
      }
  };
  return {
    where: first.where,
    receive: first.receive,
    read: sha256 => inEither(async store => begun(await store.read(sha256))),
    inspect: sha256 => inEither(store => store.inspect(sha256)),
    inspectInPlace: sha256 => inEither(store => store.inspectInPlace(sha256)),
    copyTo: async (sha256, target) => (await inEither(async store => (await store.copyTo(sha256, target)) || null)) ?? false,
    copyFrom: first.copyFrom,
    remove: async sha256 => {
      await other.remove(sha256);
      await first.remove(sha256);
    },
    list: () => listOf(store => store.list()),
    listEverything: () => listOf(store => store.listEverything()),
    sweep: async sweep => (await first.sweep(sweep)) + (await other.sweep(sweep)),
  };
}

/** Content with its first part read: content of up to a megabyte that is damaged, or only being written, is refused here, where the other store can still be asked. */
async function begun(content: AsyncIterable<Uint8Array> | null): Promise<AsyncIterableIterator<Uint8Array> | null> {
  if (!content) return null;
  const chunks = content[Symbol.asyncIterator]();
  let first: IteratorResult<Uint8Array> | null = await chunks.next();
  const begins: AsyncIterableIterator<Uint8Array> = {
    [Symbol.asyncIterator]: () => begins,
    next: async () => {
      const next = first ?? (await chunks.next());
      first = null;
      return next;
    },
    return: async () => {
      await chunks.return?.();
      return { done: true, value: undefined };
    },
  };
  return begins;
}

type Move = { from: FileStore; to: FileStore; incoming: string };

/**
 * Moves all content from one store to another: each file is read back from there and compared before it is deleted here. What is there already is not copied again, so
 * that a move that was interrupted goes on where it was. What a sweep has taken out goes too: a row may name it again.
 * @param incoming folder of drafts, whose old ones are swept
 * @param onMoved is called with how many files were moved
 * @returns how many were moved, and those that were not, a sentence each
 */
export async function moveFiles(
  { from, to, incoming }: Move,
  onMoved: (files: number) => void = () => {},
): Promise<{ files: number; problems: string[] }> {
  const problems: string[] = [];
  let files = 0;
  for await (const sha256 of from.listEverything()) {
    if (!(await isIntactIn(to, sha256))) {
      const copied = await copyIntact({ from, to, incoming }, sha256);
      if (copied === 'gone') continue;
      if (copied === 'changed') {
        problems.push(`${from.where(sha256)} was not moved: its content is not what its name says.`);
        continue;
      }
      if (!(await isIntactIn(to, sha256)))
        throw new Error(`${to.where(sha256)} is not what was written there; ${from.where(sha256)} stays.`);
    }
    await from.remove(sha256);
    onMoved(++files);
  }
  return { files, problems };
}

const isIntactIn = async (store: FileStore, sha256: string): Promise<boolean> => (await store.inspectInPlace(sha256))?.sha256 === sha256;

/** Copies content that is what its name says; anything else is not put beside what is intact. */
async function copyIntact({ from, to, incoming }: Move, sha256: string): Promise<'copied' | 'gone' | 'changed'> {
  const draft = path.join(incoming, randomUUID());
  await mkdir(incoming, { recursive: true, mode: 0o700 });
  try {
    if (!(await from.copyTo(sha256, draft))) return 'gone';
    if ((await measured(readFrom(draft))).sha256 !== sha256) return 'changed';
    await to.copyFrom(draft, sha256);
    return 'copied';
  } catch (error) {
    if (error instanceof ChangedContent) return 'changed';
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}
