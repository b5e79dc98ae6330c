import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type FileStore, measured, readFrom } from './file-store.ts';
import { ChangedContent } from './verified-content.ts';

/**
 * A store that content is written to, and another one that it is also found in, while files move from one to the other. What one has is looked for there again once the
 * other has not: it may just have been moved.
 */
export function openTwoFileStores(first: FileStore, other: FileStore): FileStore {
  const inEither = async <T>(look: (store: FileStore) => Promise<T | null>): Promise<T | null> =>
    (await look(first)) ?? (await look(other)) ?? (await look(first));
  return {
    where: first.where,
    receive: first.receive,
    read: sha256 => inEither(store => store.read(sha256)),
    inspect: sha256 => inEither(store => store.inspect(sha256)),
    copyTo: async (sha256, target) => (await inEither(async store => (await store.copyTo(sha256, target)) || null)) ?? false,
    copyFrom: first.copyFrom,
    remove: async sha256 => {
      await other.remove(sha256);
      await first.remove(sha256);
    },
    list: async function* () {
      const listed = new Set<string>();
      for (const store of [first, other])
        for await (const sha256 of store.list()) {
          if (listed.has(sha256)) continue;
          listed.add(sha256);
          yield sha256;
        }
    },
    sweep: async (isNamed, now) => (await first.sweep(isNamed, now)) + (await other.sweep(isNamed, now)),
  };
}

/**
 * Moves all content from one store to another: each file is read back from there and compared before it is deleted here. What is there already is not copied again, so
 * that a move that was interrupted goes on where it was.
 * @param onMoved is called with how many files were moved
 * @returns how many were moved, and those that were not, a sentence each
 */
export async function moveFiles(
  { from, to }: { from: FileStore; to: FileStore },
  onMoved: (files: number) => void = () => {},
): Promise<{ files: number; problems: string[] }> {
  const problems: string[] = [];
  let files = 0;
  for await (const sha256 of from.list()) {
    if (!(await isIntactIn(to, sha256))) {
      const copied = await copyIntact({ from, to }, sha256);
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

const isIntactIn = async (store: FileStore, sha256: string): Promise<boolean> => (await store.inspect(sha256))?.sha256 === sha256;

/** Copies content that is what its name says; anything else is not put beside what is intact. */
async function copyIntact({ from, to }: { from: FileStore; to: FileStore }, sha256: string): Promise<'copied' | 'gone' | 'changed'> {
  const draft = path.join(os.tmpdir(), `moving-${randomUUID()}`);
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
