import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { s3Bucket } from '../../adapters/s3.ts';
import { type Database, ownActivity } from '../../platform/database/index.ts';

/** Object that says whose files a bucket has. */
const OWNER = 'registry';
/** Files that are looked at in a bucket that says nothing of its owner. */
const MAX_LOOKED_AT = 1000;

/** The registry of a database, for the bucket of its files. */
export type BucketOwner = {
  /** Its name in its database, which no other one has. */
  identity: () => Promise<string>;
  /** Whether its database has a row of any of these contents. */
  knowsAny: (sha256s: readonly string[]) => Promise<boolean>;
};

/** A bucket that is another registry's, or may be. */
export class OtherRegistry extends Error {}

export const bucketOwnerOf = (db: Database): BucketOwner => ({
  identity: async () => {
    const [row] = await db.read.rows<{ identity: string }>(sql`select identity::text from registry_identity`);
    if (row) return row.identity;
    return db.change(ownActivity('documents.identify', 'Named the registry for the bucket of its files'), async change => {
      await sql`insert into registry_identity default values on conflict do nothing`.execute(change);
      const { rows } = await sql<{ identity: string }>`select identity::text from registry_identity`.execute(change);
      await change.note({ identity: rows[0]!.identity });
      return rows[0]!.identity;
    });
  },
  knowsAny: async sha256s => {
    const rows = await db.read.rows(sql`select from stored_file where sha256 = any(${sha256s}::text[]) limit 1`);
    return rows.length > 0;
  },
});

/**
 * Makes sure that a bucket has the files of this registry: another one with its files there would delete all of them as needed by no row. An empty bucket, and one whose
 * files this database knows, is marked as its own.
 * @throws OtherRegistry
 */
export async function requireOwnBucket(bucket: ReturnType<typeof s3Bucket>, { identity, knowsAny }: BucketOwner): Promise<void> {
  const own = await identity();
  let found = await ownerIn(bucket);
  if (found === null) {
    const names: string[] = [];
    for await (const { key } of bucket.list('')) {
      const name = key.slice(key.lastIndexOf('/') + 1);
      if (/^[0-9a-f]{64}$/.test(name)) names.push(name);
      if (names.length === MAX_LOOKED_AT) break;
    }
    if (names.length > 0 && !(await knowsAny(names)))
      throw new OtherRegistry(
        `${bucket.address} has files that this database does not know: they may be another registry’s, which would lose them. Check DATABASE_URL and FILES_S3_BUCKET; each registry needs a bucket of its own.`,
      );
    await bucket.put(OWNER, new Blob([own]), createHash('sha256').update(own).digest('hex'));
    // Of two that mark it together the later one has it.
    found = await ownerIn(bucket);
  }
  if (found !== own)
    throw new OtherRegistry(
      `${bucket.address} has the files of another registry: its object "${OWNER}" says ${found ?? 'nothing'}, and this database is ${own}. Check DATABASE_URL and FILES_S3_BUCKET. If the files are this one’s, whose database was made anew, delete that object and start again.`,
    );
}

async function ownerIn(bucket: ReturnType<typeof s3Bucket>): Promise<string | null> {
  const chunks = await bucket.get(OWNER);
  if (!chunks) return null;
  let text = '';
  for await (const chunk of chunks) text += Buffer.from(chunk).toString('utf8');
  return text.trim();
}
