import { HOUR_MS, instantBefore } from '@portal/contract/days';
import { sql } from 'kysely';
import { type Database, ownActivity } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log.ts';
import { bucketOwnerOf } from './bucket-owner.ts';
import type { FileStore } from './file-store.ts';
import { type KeptFiles, rowsOf } from './kept-files.ts';

/** How many hours an unused file is kept. */
const UNUSED_HOURS = 24;

type Sweeping = { store: FileStore; kinds: readonly KeptFiles[]; now: Date; log: Log };

/**
 * Deletes unused files a day after their upload, and content that no row needs: of refused and deleted files, and of uploads interrupted between disk
 * and database. Content is deleted only if every table that refers to stored files is in `kinds` and one of them once had it; anything else is kept
 * and logged, because a file deleted by mistake is lost.
 */
export async function sweepFiles(db: Database, { store, kinds, now, log }: Sweeping): Promise<void> {
  const undeclared = await undeclaredTables(db, kinds);
  if (undeclared.length > 0) {
    log.error('no file is swept: a table names stored files, and no module declares it among its kept files', { tables: undeclared });
    return;
  }
  const before = instantBefore(now, UNUSED_HOURS * HOUR_MS);
  const unused = sql`account_name is null and reference is null and uploaded_at < ${before}`;
  const [found] = await db.read.rows<{ count: number }>(sql`select count(*)::int as count from document where ${unused}`);
  if (found!.count > 0)
    await db.change(ownActivity('documents.sweep', 'Deleted unused files'), async change => {
      const { rows } = await sql<{
        fileName: string;
        sha256: string;
      }>`delete from document where ${unused} returning file_name, sha256`.execute(change);
      await sql`delete from stored_file f where f.sha256 = any(${rows.map(({ sha256 }) => sha256)}::text[])
        and not exists (select from ${rowsOf(kinds)} kept where kept.sha256 = f.sha256)`.execute(change);
      await change.note({ files: rows.length });
    });
  await forgetArchives(db, kinds);
  await store.sweep({ owner: bucketOwnerOf(db), named: sha256s => mustStay(db, { sha256s, kinds, log }), now });
}

/** Forgets archives that no row has any more: they are made for a person, and go with the row. */
async function forgetArchives(db: Database, kinds: readonly KeptFiles[]): Promise<void> {
  const archives = await db.read.selectFrom('storedFile').select('sha256').where('kind', '=', 'zip').execute();
  const stored = await storedFiles(
    db,
    archives.map(({ sha256 }) => sha256),
    kinds,
  );
  const left = stored.filter(({ known }) => !known).map(({ sha256 }) => sha256);
  if (left.length === 0) return;
  await db.change(ownActivity('documents.sweep', 'Deleted unused files'), async change => {
    await change.deleteFrom('storedFile').where('sha256', 'in', left).execute();
    await change.note({ archives: left.length });
  });
}

/** Tables that refer to stored files and that no kind covers. */
async function undeclaredTables(db: Database, kinds: readonly KeptFiles[]): Promise<string[]> {
  const rows = await db.read.rows<{ name: string }>(sql`select distinct c.relname::text as name
    from pg_constraint k join pg_class c on c.oid = k.conrelid where k.contype = 'f' and k.confrelid = 'stored_file'::regclass`);
  const declared = new Set(kinds.map(({ table }) => table));
  return rows.map(({ name }) => name).filter(name => !declared.has(name));
}

/** Returns which contents must not be deleted: a row needs it, or it was stored for a row of an unknown kind. One without a row was received but never accepted. */
async function mustStay(
  db: Database,
  { sha256s, kinds, log }: { sha256s: readonly string[]; kinds: readonly KeptFiles[]; log: Log },
): Promise<ReadonlySet<string>> {
  const stored = await storedFiles(db, sha256s, kinds);
  for (const { sha256, known } of stored) if (!known) log.error('a stored file is kept: no row of a declared kind ever had it', { sha256 });
  return new Set(stored.filter(({ known, needed }) => needed || !known).map(({ sha256 }) => sha256));
}

type StoredFile = { sha256: string; known: boolean; needed: boolean };

/** Returns which of these contents are stored: whether a row of a declared kind has it, and whether one needs it. */
async function storedFiles(db: Database, sha256s: readonly string[], kinds: readonly KeptFiles[]): Promise<StoredFile[]> {
  if (sha256s.length === 0) return [];
  return db.read.rows<StoredFile>(sql`select f.sha256, count(kept.sha256) > 0 as known,
      coalesce(bool_or(kept.needed), false) as needed
    from stored_file f left join (select * from ${rowsOf(kinds)} every where every.sha256 = any(${sha256s}::text[])) kept using (sha256)
    where f.sha256 = any(${sha256s}::text[]) group by f.sha256`);
}
