import type { Attachment, DocumentType, Visibility } from '@portal/contract/documents/documents';
import { type RawBuilder, sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { asUploadedFile, documentById, documentRows, type DocumentRow, lockUnattachedFile } from './documents.ts';

/** The request that files belong to. */
export type AttachTo = {
  /** As quoted in mails, never reused: `ORG-12`, `APP-7`. */
  reference: string;
  /** The account whose documents they become; null before there is one, as with an application. */
  accountName: string | null;
  type: DocumentType;
  visibility: Visibility;
};

const asAttachment = (row: DocumentRow): Attachment => ({ ...asUploadedFile(row), uploadedBy: row.uploaderName });

/**
 * Attaches uploaded files to a request. Files already attached stay, so that a form can send all its ids again. @param loginId the uploader: people
 * can't attach others' files
 * @throws Failure NOT_FOUND for a file of another login or of another request, FILE_UNUSABLE if a virus was found in it
 */
export async function attach(change: Change, loginId: string, documentIds: readonly string[], to: AttachTo): Promise<Attachment[]> {
  const { reference, accountName, type, visibility } = to;
  const attached: DocumentRow[] = [];
  // In one order, so that two requests with the same files don't deadlock.
  for (const documentId of [...new Set(documentIds)].toSorted()) {
    const present = await documentById(change, documentId);
    if (present && present.reference === reference && present.uploadedBy === loginId) {
      attached.push(present);
      continue;
    }
    const row = await lockUnattachedFile(change, loginId, documentId);
    await change
      .updateTable('document')
      .set({ reference, accountName, type, visibility })
      .where('documentId', '=', row.documentId)
      .execute();
    attached.push({ ...row, reference, accountName, type, visibility });
  }
  if (attached.length > 0) await change.note({ files: attached.map(({ fileName, sha256 }) => ({ fileName, sha256 })) });
  return attached.map(asAttachment);
}

/** Detaches all files except the named ones from a request without an account; they are deleted after a day. */
export async function detachOthers(change: Change, reference: string, storedIds: readonly string[]): Promise<void> {
  const others = await documentRows(change, sql`d.reference = ${reference} and d.account_name is null`);
  const going = others.filter(({ documentId }) => !storedIds.includes(String(documentId))).map(({ documentId }) => documentId);
  if (going.length > 0) await change.updateTable('document').set({ reference: null }).where('documentId', 'in', going).execute();
}

/** The files of requests, in the order they were sent, by reference. Deleted ones are left out. */
export async function attachmentsOf(read: Read, references: readonly string[]): Promise<Map<string, Attachment[]>> {
  const rows =
    references.length === 0 ? [] : await documentRows(read, sql`d.reference = any(${[...references]}::text[]) order by d.document_id`);
  const byReference = Map.groupBy(rows, ({ reference }) => reference!);
  return new Map(references.map(reference => [reference, (byReference.get(reference) ?? []).map(asAttachment)]));
}

/** The same as a column of a request: `select …, ${attachedTo(sql`'ORG-' || c.organisation_change_id`)} as papers`. */
export const attachedTo = (reference: RawBuilder<unknown>): RawBuilder<Attachment[]> => sql<Attachment[]>`coalesce((
  select jsonb_agg(jsonb_build_object('documentId', d.document_id::text, 'fileName', d.file_name, 'kind', f.kind, 'bytes', f.bytes, 'sha256', f.sha256,
    'check', f.checked, 'uploadedBy', l.full_name,
    'uploadedAt', to_char(d.uploaded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by d.document_id)
  from document d join stored_file f using (sha256) join login l on l.login_id = d.uploaded_by
  where d.reference = ${reference} and d.deleted_at is null), '[]'::jsonb)`;

/** Makes the files of a request documents of the resulting account. */
export async function attachToAccount(change: Change, reference: string, accountName: string): Promise<void> {
  await change.updateTable('document').set({ accountName }).where('reference', '=', reference).where('deletedAt', 'is', null).execute();
}
