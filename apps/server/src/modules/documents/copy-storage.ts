import type { Change } from '../../platform/database/index.ts';
import type { CopyStorage } from '../identity/index.ts';
import { type FileStore, TooLarge } from './file-store.ts';

/** Keeps copies of people's data among the files, as `identity` asks for. */
export const copyStorage = (store: Pick<FileStore, 'receive' | 'read'>): CopyStorage => ({
  keep: async (chunks, largest) => {
    let bytes = 0;
    const counted = (async function* () {
      for await (const chunk of chunks) {
        bytes += chunk.length;
        yield chunk;
      }
    })();
    try {
      const incoming = await store.receive(counted, { largest, firstBytes: () => {} });
      await incoming.keep();
      return { sha256: incoming.sha256, bytes };
    } catch (error) {
      if (error instanceof TooLarge) return null;
      throw error;
    }
  },
  record: async (change: Change, { sha256, bytes }) => {
    await change
      .insertInto('storedFile')
      .values({ sha256, bytes, kind: 'zip', storedAt: change.now, checked: 'not-checked' })
      .onConflict(conflict => conflict.doNothing())
      .execute();
  },
  read: store.read,
});
