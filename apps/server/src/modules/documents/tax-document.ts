import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';

/** Returns the date and expiry of an account's latest tax document that billing contacts may read, or null. */
export async function taxDocumentOf(
  read: Pick<Read, 'rows'>,
  accountName: string,
): Promise<{ addedOn: string; validUntil: string | null } | null> {
  const [row] = await read.rows<{ addedOn: string; validUntil: string | null }>(sql`
    select (uploaded_at at time zone 'UTC')::date::text as added_on, valid_until::text from document
    where account_name = ${accountName} and type = 'tax' and deleted_at is null and visibility in ('all-contacts', 'billing')
    order by document_id desc limit 1`);
  return row ?? null;
}
