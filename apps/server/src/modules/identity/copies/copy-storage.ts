import type { Change } from '../../../platform/database/index.ts';
import type { ModuleContext } from '../../../platform/module.ts';

/** Keeps copies of people's data among the files of the registry. */
export type CopyStorage = {
  /** Stores a copy that is at most so many bytes; null if it is larger, and nothing is left of it. */
  keep: (chunks: AsyncIterable<Uint8Array>, largest: number) => Promise<{ sha256: string; bytes: number } | null>;
  /** Records stored content in the change that names it. */
  record: (change: Change, kept: { sha256: string; bytes: number }) => Promise<void>;
  /** The content, or null if it is lost. */
  read: (sha256: string) => Promise<AsyncIterable<Uint8Array> | null>;
};

declare module '../../../platform/module.ts' {
  interface Contributions {
    /** Keeps copies of people's data: the module that stores files declares it. */
    copyStorage?: (context: ModuleContext) => CopyStorage;
  }
}

/** Where copies are kept. */
export function copyStorageOf(context: ModuleContext): CopyStorage {
  const [storage] = context.modules.flatMap(module => module.copyStorage ?? []);
  if (!storage) throw new Error('No module keeps copies of data.');
  return storage(context);
}
