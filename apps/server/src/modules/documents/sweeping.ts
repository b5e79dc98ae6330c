import { sql } from 'kysely';
import type { Database } from '../../platform/database/index.ts';
import type { FileStore } from './file-store.ts';

/** How long a file nobody uses is kept. */
const UNUSED_HOURS = 24;
const activity = { action: 'documents.sweep', summary: 'Deleted files nobody used', traceId: '0'.repeat(32) };

/**
 * Deletes what was sent and used for nothing, rows after a day, and content that no row needs: of refused and deleted files, and of those that
 * were interrupted between disk and database.
 */
export async function sweepFiles(db: Database, store: FileStore, now: Date): Promise<void> {
  const before = new Date(now.getTime() - UNUSED_HOURS * 3_600_000).toISOString();
  const unused = sql`account_name is null and reference is null and uploaded_at < ${before}`;
  const [found] = await db.read.rows<{ count: number }>(sql`select count(*)::int as count from document where ${unused}`);
  if (found!.count > 0)
    await db.change(activity, async change => {
      const { rows } = await sql<{
        fileName: string;
        sha256: string;
      }>`delete from document where ${unused} returning file_name, sha256`.execute(change);
      await sql`delete from stored_file f where f.sha256 = any(${rows.map(({ sha256 }) => sha256)}::text[])
        and not exists (select from document d where d.sha256 = f.sha256) and not exists (select from invoice i where i.sha256 = f.sha256)`.execute(
        change,
      );
      await change.note({ files: rows.length });
    });
  await store.sweep(sha256 => isNeeded(db, sha256), now);
}

/** Whether a document that was not deleted has this content, and may be opened; or an invoice. */
async function isNeeded(db: Database, sha256: string): Promise<boolean> {
  const [row] = await db.read.rows(sql`select 1 from document d join stored_file f using (sha256)
    where d.sha256 = ${sha256} and d.deleted_at is null and f.checked <> 'INFECTED'
    union all select 1 from invoice where sha256 = ${sha256} limit 1`);
  return row !== undefined;
}
