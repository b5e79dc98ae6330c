import { openAsBlob } from 'node:fs';
import { rm } from 'node:fs/promises';
import { type s3Bucket, StoreAway } from '../../adapters/s3.ts';
import { refuse } from '../../platform/failure.ts';
import { requireOwnBucket } from './bucket-owner.ts';
import { copyOut, type FileStore, inPages, isSha256, measured, receiveFile, SETTLED_MS, type Sweep, sweepIncoming } from './file-store.ts';
import { verified } from './verified-content.ts';

type S3 = ReturnType<typeof s3Bucket>;

/** Content that no row needed at an earlier sweep. */
const REMOVED = 'removed/';
const keyOf = (sha256: string): string => {
  if (!isSha256(sha256)) throw new Error(`"${sha256}" is no SHA-256`);
  return `${sha256.slice(0, 2)}/${sha256}`;
};
const nameIn = (key: string): string => key.slice(key.lastIndexOf('/') + 1);

/** Where the service is away, people get a sentence about files, and everything else goes on. @throws Failure FILES_UNAVAILABLE */
async function whileThere<T>(asking: Promise<T>): Promise<T> {
  try {
    return await asking;
  } catch (error) {
    if (error instanceof StoreAway) throw Object.assign(refuse('FILES_UNAVAILABLE'), { cause: error });
    throw error;
  }
}
async function* whileThereStreaming(chunks: AsyncGenerator<Uint8Array, void, void>): AsyncGenerator<Uint8Array, void, void> {
  try {
    for (;;) {
      const part = await whileThere(chunks.next());
      if (part.done) return;
      yield part.value;
    }
  } finally {
    await chunks.return();
  }
}

/**
 * Files in a bucket: `<first two digits>/<sha256>`. What a sweep deletes is in `removed/` until a later one, and is read there meanwhile: a service has no step that
 * deletes an object only if no one has stored it again.
 * @param folder of this machine alone, for files on their way
 */
export function openS3FileStore(bucket: S3, folder: string): FileStore {
  const where = (sha256: string): string => `${bucket.address}/${keyOf(sha256)}`;
  const put = async (file: string, sha256: string): Promise<void> => whileThere(bucket.put(keyOf(sha256), await openAsBlob(file), sha256));
  const contentOf = async (sha256: string): Promise<AsyncGenerator<Uint8Array, void, void> | null> => {
    const chunks = await whileThere(bucket.get(keyOf(sha256)).then(async found => found ?? bucket.get(`${REMOVED}${sha256}`)));
    return chunks && whileThereStreaming(chunks);
  };
  return {
    where,
    receive: (chunks, limits) =>
      receiveFile(folder, chunks, {
        ...limits,
        keep: async (draft, sha256) => {
          await put(draft, sha256);
          await rm(draft, { force: true });
        },
      }),
    read: async sha256 => {
      const chunks = await contentOf(sha256);
      return chunks && verified(chunks, sha256, where(sha256));
    },
    inspect: async sha256 => {
      const chunks = await contentOf(sha256);
      return chunks && measured(chunks);
    },
    inspectInPlace: async sha256 => {
      const chunks = await whileThere(bucket.get(keyOf(sha256)));
      return chunks && measured(whileThereStreaming(chunks));
    },
    copyTo: async (sha256, target) => {
      const chunks = await contentOf(sha256);
      if (!chunks) return false;
      await copyOut(verified(chunks, sha256, where(sha256)), target);
      return true;
    },
    copyFrom: put,
    remove: async sha256 => {
      await whileThere(bucket.remove(keyOf(sha256)));
      await whileThere(bucket.remove(`${REMOVED}${sha256}`));
    },
    list: async function* () {
      for await (const { key } of bucket.list('')) if (isSha256(nameIn(key)) && !key.startsWith(REMOVED)) yield nameIn(key);
    },
    listEverything: async function* () {
      const listed = new Set<string>();
      for await (const { key } of bucket.list('')) {
        const sha256 = nameIn(key);
        if (!isSha256(sha256) || listed.has(sha256)) continue;
        listed.add(sha256);
        yield sha256;
      }
    },
    sweep: async sweep => {
      const drafts = await sweepIncoming(folder, sweep.now);
      return drafts + (await whileThere(sweepBucket(bucket, sweep)));
    },
  };
}

async function sweepBucket(bucket: S3, { owner, named, now }: Sweep): Promise<number> {
  await requireOwnBucket(bucket, owner);
  const settled = now.getTime() - SETTLED_MS;
  let swept = 0;
  // What an earlier sweep took out: by now a row names it, or none will.
  for await (const objects of inPages(bucket.list(REMOVED))) {
    const old = objects.filter(({ key, changedAt }) => changedAt <= settled && isSha256(nameIn(key)));
    const stay = await named(old.map(({ key }) => nameIn(key)));
    for (const { key } of old) {
      const sha256 = nameIn(key);
      if (stay.has(sha256)) {
        if (!(await bucket.has(keyOf(sha256)))) await bucket.copy(key, keyOf(sha256));
        // Until it is seen in its place this is the only one.
        if (!(await bucket.has(keyOf(sha256)))) continue;
      }
      await bucket.remove(key);
      swept++;
    }
  }
  for await (const objects of inPages(bucket.list(''))) {
    const old = objects.filter(({ key, changedAt }) => changedAt <= settled && isSha256(nameIn(key)) && key === keyOf(nameIn(key)));
    const stay = await named(old.map(({ key }) => nameIn(key)));
    for (const { key } of old) {
      const sha256 = nameIn(key);
      if (stay.has(sha256)) continue;
      await bucket.copy(key, `${REMOVED}${sha256}`);
      if (await bucket.has(`${REMOVED}${sha256}`)) await bucket.remove(key);
    }
  }
  return swept;
}
