import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { type RawBuilder, sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { StoreRefused } from '../../adapters/s3.ts';
import { type FileStore, isSha256, measured, readFrom } from './file-store.ts';
import { ChangedContent } from './verified-content.ts';

/** Files that a check, a backup or a restore has in hand together. */
const MAX_AT_A_TIME = 16;

/**
 * A kind of file stored under its SHA-256: a table whose rows refer to `stored_file`. The module that owns the table declares it, and `documents`
 * collects all of them. Content referenced only by an undeclared table is never deleted.
 */
export type KeptFiles = {
  /** The table's name in the database. */
  table: string;
  /** Every row that refers to content: its description (`invoice INV-2026-000001`), and whether it still needs it. */
  rows: RawBuilder<{ sha256: string; whose: string; needed: boolean }>;
};

declare module '../../platform/module.ts' {
  interface Contributions {
    /** The kinds of files it keeps. */
    keptFiles?: readonly KeptFiles[];
  }
}

/** Documents: a deleted one no longer needs its content, and that of an infected one is already gone. */
export const documentFiles: KeptFiles = {
  table: 'document',
  rows: sql`select d.sha256, 'document ' || d.document_id || ' (' || d.file_name || ')' as whose, d.deleted_at is null and f.checked <> 'infected' as needed
    from document d join stored_file f using (sha256)`,
};

/** The rows of all kinds as one sub-query. */
export const rowsOf = (kinds: readonly KeptFiles[]): RawBuilder<unknown> =>
  sql`(${sql.join(
    kinds.map(({ rows }) => rows),
    sql` union all `,
  )})`;

type NeededFile = { sha256: string; bytes: number; whose: string };

/** Needed content, each with one row that needs it. */
const neededFiles = (read: Read, kinds: readonly KeptFiles[]): AsyncGenerator<NeededFile[], void, void> =>
  read.stream<NeededFile>(sql`select distinct on (f.sha256) f.sha256, f.bytes, kept.whose
    from stored_file f join ${rowsOf(kinds)} kept using (sha256) where kept.needed order by f.sha256, kept.whose`);

/** Returns what still needs some content, in the words of `KeptFiles`; empty when nothing does. */
export async function neededBy(read: Read, kinds: readonly KeptFiles[], sha256: string): Promise<string[]> {
  const rows = await read.rows<{ whose: string }>(
    sql`select kept.whose from ${rowsOf(kinds)} kept where kept.sha256 = ${sha256} and kept.needed order by kept.whose`,
  );
  return rows.map(({ whose }) => whose);
}

/** Reads every needed file, and returns missing or changed ones, a sentence each. */
export async function verifyFiles(
  read: Read,
  store: FileStore,
  kinds: readonly KeptFiles[],
): Promise<{ files: number; problems: string[] }> {
  const problems: string[] = [];
  let files = 0;
  for await (const batch of neededFiles(read, kinds)) {
    await eachOfMany(batch, async ({ sha256, bytes, whose }) => {
      files++;
      const which = `The content of ${whose}`;
      const found = await store.inspect(sha256);
      if (!found) problems.push(`${which} is missing: ${store.where(sha256)}.`);
      else if (found.sha256 !== sha256 || found.bytes !== bytes)
        problems.push(`${which} was changed: ${found.bytes} bytes with the SHA-256 ${found.sha256} instead of ${bytes} with ${sha256}.`);
    });
  }
  return { files, problems };
}

/** Folder beside a backup with the files of its documents. */
const filesFolderOf = (backup: string): string => `${backup}.files`;

/** Copies the files that rows need into a folder beside a backup of the database: one that can't be copied does not keep the others from it. Returns how many, and which are missing, and why. */
export async function backUpFiles(
  read: Read,
  { store, kinds, backup }: { store: FileStore; kinds: readonly KeptFiles[]; backup: string },
): Promise<{ files: number; missing: string[] }> {
  const folder = filesFolderOf(backup);
  const missing: string[] = [];
  let files = 0;
  for await (const batch of neededFiles(read, kinds)) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await eachOfMany(batch, async ({ sha256 }) => {
      try {
        if (await store.copyTo(sha256, path.join(folder, sha256))) files++;
        else missing.push(sha256);
      } catch (error) {
        if (!(error instanceof ChangedContent) && !(error instanceof StoreRefused)) throw error;
        missing.push(`${sha256} (${error.message})`);
      }
    });
  }
  return { files, missing };
}

/** Restores the files of a backup: each that is what its name says, and is not there already. Returns how many, and those that are damaged in the backup, a sentence each. */
export async function restoreFiles(store: FileStore, backup: string): Promise<{ files: number; problems: string[] }> {
  const folder = filesFolderOf(backup);
  let names: string[];
  try {
    names = await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { files: 0, problems: [] };
    throw error;
  }
  const problems: string[] = [];
  let files = 0;
  await eachOfMany(names.filter(isSha256), async sha256 => {
    const place = path.join(folder, sha256);
    if ((await store.inspectInPlace(sha256))?.sha256 !== sha256) {
      const { sha256: found } = await measured(readFrom(place));
      if (found !== sha256) {
        problems.push(`${place} was not put back: its content was changed, and has the SHA-256 ${found}.`);
        return;
      }
      await store.copyFrom(place, sha256);
    }
    files++;
  });
  return { files, problems };
}

/** Does something to each of many files, several at a time; the first error ends it. */
async function eachOfMany<Item>(items: readonly Item[], act: (item: Item) => Promise<void>): Promise<void> {
  const left = items.values();
  let hasFailed = false;
  const one = async (): Promise<void> => {
    try {
      for (const item of left) {
        if (hasFailed) return;
        await act(item);
      }
    } catch (error) {
      hasFailed = true;
      throw error;
    }
  };
  const results = await Promise.allSettled(Array.from({ length: MAX_AT_A_TIME }, one));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
