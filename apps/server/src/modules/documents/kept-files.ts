import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import type { FileStore } from './file-store.ts';

type NeededFile = { sha256: string; bytes: number; whose: string };

/** Content that documents and invoices need, each with one that has it. */
const neededFiles = (read: Read): AsyncGenerator<NeededFile[], void, void> =>
  read.stream<NeededFile>(sql`select distinct on (f.sha256) f.sha256, f.bytes, needed.whose from stored_file f join (
      select sha256, 'document ' || document_id || ' (' || file_name || ')' as whose, document_id as place from document where deleted_at is null
      union all select sha256, 'invoice ' || number, 0 from invoice) needed using (sha256)
    where f.checked <> 'INFECTED' order by f.sha256, needed.place`);

/** Reads every file that documents and invoices need, and says what is missing or is not what was sent; a sentence each. */
export async function verifyFiles(read: Read, store: FileStore): Promise<{ files: number; problems: string[] }> {
  const problems: string[] = [];
  let files = 0;
  for await (const batch of neededFiles(read)) {
    for (const { sha256, bytes, whose } of batch) {
      files++;
      const which = `The content of ${whose}`;
      const found = await store.inspect(sha256);
      if (!found) problems.push(`${which} is missing: ${path.join(store.folder, sha256.slice(0, 2), sha256)}.`);
      else if (found.sha256 !== sha256 || found.bytes !== bytes)
        problems.push(`${which} was changed: ${found.bytes} bytes with the SHA-256 ${found.sha256} instead of ${bytes} with ${sha256}.`);
    }
  }
  return { files, problems };
}

/** The folder beside a backup that holds the files of its documents. */
const filesFolderOf = (backup: string): string => `${backup}.files`;

/** Copies the files documents need beside a backup of the database. Answers how many, and which are missing. */
export async function backUpFiles(read: Read, store: FileStore, backup: string): Promise<{ files: number; missing: string[] }> {
  const folder = filesFolderOf(backup);
  const missing: string[] = [];
  let files = 0;
  for await (const batch of neededFiles(read)) {
    for (const { sha256 } of batch) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      try {
        await store.copyTo(sha256, path.join(folder, sha256));
        files++;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
        missing.push(sha256);
      }
    }
  }
  return { files, missing };
}

/** Puts the files beside a backup back; those that are there already stay. */
export async function restoreFiles(store: FileStore, backup: string): Promise<number> {
  let names: string[];
  try {
    names = await readdir(filesFolderOf(backup));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
  let files = 0;
  for (const sha256 of names.filter(name => /^[0-9a-f]{64}$/.test(name))) {
    await store.copyFrom(path.join(filesFolderOf(backup), sha256), sha256);
    files++;
  }
  return files;
}
