import type { BodyOf, ReceivedFile } from '@portal/contract';
import type { AccountDocument, DocumentType, documents, UploadedFile, Visibility } from '@portal/contract/documents/documents';
import type { FileKind } from '@portal/contract/file-kinds';
import { rowNumber } from '@portal/contract/row-ids';
import { type RawBuilder, sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse, refuseField } from '../../platform/failure.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import type { Registry } from '../../platform/registry.ts';
import { accountNamed, activeContactOf, contactById, refuseOwnAccount } from '../accounts/index.ts';
import { notifyAboutDocument } from './document-notices.ts';
import { tidyFileName } from './file-name.ts';
import { filesAreScanned, scanFile } from './scanning.ts';
import { documentsTexts } from './mail-texts.ts';

/** A document and its file, as the database has them. */
export type DocumentRow = {
  documentId: number;
  sha256: string;
  fileName: string;
  kind: FileKind;
  bytes: number;
  check: AccountDocument['check'];
  finding: string | null;
  uploadedBy: string;
  uploadedAt: string;
  uploaderName: string;
  uploaderEmail: string;
  byStaff: boolean;
  accountName: string | null;
  reference: string | null;
  title: string;
  type: DocumentType;
  visibility: Visibility;
  validUntil: string | null;
  signature: AccountDocument['signature'];
  signedName: string | null;
  signedAt: string | null;
  opened: boolean;
};

/** No document is an archive, so `concat` hides that a stored file can be one. @param forLogin the person whose openings `opened` reports */
const rowsWhere = (where: RawBuilder<unknown>, forLogin: string | null = null): RawBuilder<DocumentRow> => sql<DocumentRow>`
  select d.document_id, d.sha256, d.file_name, concat(f.kind) as kind, f.bytes, f.checked as check, f.finding, d.uploaded_by, d.uploaded_at,
    coalesce(l.full_name, l.username, l.email) as uploader_name, l.email as uploader_email, d.by_staff, d.account_name, d.reference, d.title, d.type, d.visibility, d.valid_until,
    d.signature, d.signed_name, d.signed_at,
    exists (select from document_opening o where o.document_id = d.document_id and o.login_id = ${forLogin}) as opened
  from document d join stored_file f using (sha256) join login l on l.login_id = d.uploaded_by
  where d.deleted_at is null and ${where}`;

/** Documents matching a condition, without deleted ones. */
export const documentRows = (read: Read, where: RawBuilder<unknown>, forLogin: string | null = null): Promise<DocumentRow[]> =>
  read.rows(rowsWhere(where, forLogin));

/** Parses a number in a path; null for anything else. */
export async function documentById(read: Read, documentId: string, forLogin: string | null = null): Promise<DocumentRow | undefined> {
  const id = rowNumber(documentId);
  return id === null ? undefined : (await documentRows(read, sql`d.document_id = ${id}`, forLogin))[0];
}

export const asUploadedFile = (row: DocumentRow): UploadedFile => ({
  documentId: String(row.documentId),
  fileName: row.fileName,
  kind: row.kind,
  bytes: row.bytes,
  sha256: row.sha256,
  check: row.check,
  uploadedAt: row.uploadedAt,
});

/** The sender's name within the registry is shown to staff only. */
const asDocument = (row: DocumentRow, { forStaff }: { forStaff: boolean }): AccountDocument => ({
  ...asUploadedFile(row),
  title: row.title,
  type: row.type,
  visibility: row.visibility,
  validUntil: row.validUntil,
  reference: row.reference,
  uploadedBy: row.byStaff && !forStaff ? 'Registry staff' : row.uploaderName,
  signature: row.signature,
  signedBy: row.signedName,
  signedAt: row.signedAt,
  opened: row.opened,
});

/** Returns whether a contact with these types sees a document of this visibility. */
const sees = (contactTypes: readonly string[], visibility: Visibility): boolean =>
  visibility === 'all-contacts' || contactTypes.includes('corporate') || (visibility === 'billing' && contactTypes.includes('billing'));

/** People see what they sent for an account they belong to. */
export const seesDocument = (contactTypes: readonly string[], loginId: string, row: DocumentRow): boolean =>
  sees(contactTypes, row.visibility) || row.uploadedBy === loginId;

/** More than any account has. */
const MAX_LISTED = 2000;

const documentsOf = (read: Read, accountName: string, { loginId }: Caller): Promise<DocumentRow[]> =>
  documentRows(
    read,
    sql`d.account_name = ${accountName} order by d.signature = 'to-sign' desc, d.document_id desc limit ${MAX_LISTED}`,
    loginId,
  );

/** The documents a caller may see, unsigned agreements first, then the newest. Registry staff on a visit see all. */
export async function listDocuments({ read, account, caller }: Act<typeof documents.listDocuments>): Promise<{ rows: AccountDocument[] }> {
  const rows = await documentsOf(read, account.accountName, caller);
  return {
    rows: rows
      .filter(row => account.asStaff || seesDocument(account.contactTypes, caller.loginId, row))
      .map(row => asDocument(row, { forStaff: account.asStaff })),
  };
}

/** All documents of any account, for the desk. @throws Failure NOT_FOUND */
export async function listStaffDocuments({
  read,
  caller,
  params: { accountName },
}: Act<typeof documents.listStaffDocuments>): Promise<{ rows: AccountDocument[] }> {
  await accountNamed(read, accountName);
  return { rows: (await documentsOf(read, accountName, caller)).map(row => asDocument(row, { forStaff: true })) };
}

/**
 * Records an uploaded file, not yet attached to anything. If a virus scanner is configured, the file is scanned before it can be opened.
 * @throws Failure FILE_REFUSED if the same content was found infected before
 */
export async function uploadFile({
  change,
  caller: { loginId },
  query: { fileName: given },
  body: { sha256, bytes, kind },
  registry: { config },
}: {
  change: Change;
  caller: Caller;
  query: { fileName: string };
  body: ReceivedFile;
  registry: { config: Pick<Registry['config'], 'virusScannerUrl'> };
}): Promise<UploadedFile> {
  const scanned = filesAreScanned(config);
  const fileName = tidyFileName(given, kind);
  // Locked, so that the sweep doesn't delete it before the document refers to it.
  const stored = await change
    .insertInto('storedFile')
    .values({ sha256, bytes, kind, storedAt: change.now, checked: scanned ? 'being-checked' : 'not-checked' })
    .onConflict(conflict => conflict.column('sha256').doUpdateSet({ sha256 }))
    .returning(['checked', 'finding'])
    .executeTakeFirstOrThrow();
  if (stored.checked === 'infected')
    throw refuse('FILE_REFUSED', { name: `“${fileName}”`, why: `a virus was found in it (${stored.finding})` });
  if (scanned && stored.checked === 'not-checked')
    await change.updateTable('storedFile').set({ checked: 'being-checked' }).where('sha256', '=', sha256).execute();
  if (scanned && stored.checked !== 'clean') await change.enqueue(scanFile, { sha256 });
  const { documentId } = await change
    .insertInto('document')
    .values({ sha256, fileName, title: fileName, uploadedBy: loginId, uploadedAt: change.now })
    .returning('documentId')
    .executeTakeFirstOrThrow();
  await change.note({ file: fileName, kind, bytes, sha256 });
  return asUploadedFile((await documentById(change, String(documentId)))!);
}

const theFile = { what: 'The file' };

/**
 * Locks an unattached file of the caller. @throws Failure NOT_FOUND, FILE_UNUSABLE if it is infected
 */
export async function lockUnattachedFile(change: Change, loginId: string, documentId: string): Promise<DocumentRow> {
  await change
    .selectFrom('document')
    .select('documentId')
    .where('documentId', '=', rowNumber(documentId) ?? -1)
    .where('uploadedBy', '=', loginId)
    .forUpdate()
    .executeTakeFirst();
  const row = await documentById(change, documentId);
  if (!row || row.uploadedBy !== loginId || row.accountName !== null || row.reference !== null) throw refuse('NOT_FOUND', theFile);
  refuseInfected(row);
  return row;
}

export function refuseInfected({ fileName, check, finding }: DocumentRow): void {
  if (check === 'infected') throw refuse('FILE_UNUSABLE', { name: `“${fileName}”`, why: `a virus was found in it (${finding})` });
}

type Described = Pick<BodyOf<typeof documents.addDocument>, 'documentId' | 'title' | 'type' | 'visibility' | 'validUntil'>;

async function makeDocument(
  change: Change,
  { accountName, loginId, byStaff, toSign }: { accountName: string; loginId: string; byStaff: boolean; toSign: boolean },
  { documentId, title, type, visibility, validUntil }: Described,
): Promise<DocumentRow> {
  const file = await lockUnattachedFile(change, loginId, documentId);
  await change
    .updateTable('document')
    .set({ accountName, title, type, visibility, validUntil, byStaff, signature: toSign ? 'to-sign' : 'none' })
    .where('documentId', '=', file.documentId)
    .execute();
  await change.note({ document: title, type, visibility, file: file.fileName, sha256: file.sha256 });
  return (await documentById(change, documentId, loginId))!;
}

/** Makes an uploaded file a document of the account. @throws Failure NOT_FOUND, FILE_UNUSABLE */
export async function addDocument({
  change,
  account: { accountName, contactTypes },
  caller: { loginId },
  body,
}: Act<typeof documents.addDocument>): Promise<AccountDocument> {
  if (!sees(contactTypes, body.visibility)) throw refuseField('visibility', 'Choose an option that includes you');
  return asDocument(await makeDocument(change, { accountName, loginId, byStaff: false, toSign: false }, body), { forStaff: false });
}

/** Records a document of an imported registry: without notices, and with its original dates. A signature belongs to a corporate contact's login. */
export async function recordDocument(
  change: Change,
  {
    file: { sha256, bytes, kind },
    toSign,
    signed,
    ...described
  }: Pick<DocumentRow, 'title' | 'fileName' | 'type' | 'visibility' | 'validUntil' | 'uploadedBy' | 'uploadedAt' | 'byStaff'> & {
    accountName: string;
    file: ReceivedFile;
    toSign: boolean;
    signed: { by: string; at: string } | null;
  },
): Promise<void> {
  const signer = signed && (await activeContactOf(change, described.accountName, signed.by))!;
  await change
    .insertInto('storedFile')
    .values({ sha256, bytes, kind, storedAt: described.uploadedAt, checked: 'not-checked' })
    .onConflict(conflict => conflict.doNothing())
    .execute();
  await change
    .insertInto('document')
    .values({
      ...described,
      sha256,
      signature: signer ? 'signed' : toSign ? 'to-sign' : 'none',
      ...(signer && { signedBy: signer.contactId, signedName: signer.fullName, signedAt: signed!.at }),
    })
    .execute();
}

/** Adds a document to an account, to read or to sign; the contacts who may see it are notified. @throws Failure NOT_FOUND, FILE_UNUSABLE, OWN_REQUEST */
export async function addStaffDocument({
  change,
  caller,
  params: { accountName },
  body: { toSign, ...body },
}: Act<typeof documents.addStaffDocument>): Promise<AccountDocument> {
  const account = await change.selectFrom('account').select('accountStatus').where('accountName', '=', accountName).executeTakeFirst();
  if (!account || account.accountStatus === 'closed') throw refuse('NOT_FOUND', { what: 'The account' });
  await refuseOwnAccount(change, accountName, caller);
  await change.concerns(accountName);
  const row = await makeDocument(change, { accountName, loginId: caller.loginId, byStaff: true, toSign }, body);
  await notifyAboutDocument(change, accountName, row.visibility, {
    text: toSign
      ? documentsTexts.written('needsSignature', { accountName, title: row.title })
      : documentsTexts.written('registrySent', { accountName, title: row.title }),
    act: toSign ? 'Read and sign' : 'View documents',
    onlyCorporate: toSign,
  });
  return asDocument(row, { forStaff: true });
}

/** Deletes a document, with the reason; its row stays, and its content is deleted if nothing else uses it. @throws Failure NOT_FOUND, FILE_UNUSABLE, OWN_REQUEST */
export async function deleteDocument({
  change,
  caller,
  params: { documentId },
  body: { reason },
}: Act<typeof documents.deleteDocument>): Promise<void> {
  const held = await change
    .selectFrom('document')
    .select('documentId')
    .where('documentId', '=', rowNumber(documentId) ?? -1)
    .forUpdate()
    .executeTakeFirst();
  const row = held && (await documentById(change, documentId));
  if (!row || row.accountName === null) throw refuse('NOT_FOUND', { what: 'The document' });
  await refuseOwnAccount(change, row.accountName, caller);
  await change.concerns(row.accountName);
  if (row.signature === 'signed') throw refuse('FILE_UNUSABLE', { name: `“${row.title}”`, why: 'signed documents can’t be deleted' });
  await change
    .updateTable('document')
    .set({ deletedAt: change.now, deletedBy: caller.loginId, deletionReason: reason })
    .where('documentId', '=', row.documentId)
    .execute();
  await change.note({ document: row.title, file: row.fileName, sha256: row.sha256, reason });
  if (row.check !== 'infected')
    await notifyAboutDocument(change, row.accountName, row.visibility, {
      text: documentsTexts.written('registryDeleted', { accountName: row.accountName, title: row.title, reason }),
      act: 'View documents',
      onlyCorporate: false,
    });
}

/**
 * Signs an agreement for the member: a contact who has read it declares, with a fresh second factor, that the member agrees. Person, time, and the SHA-256 of
 * the text are stored in its row and in the activity log.
 * @throws Failure NOT_FOUND, NOTHING_TO_SIGN, NOT_READ, STALE if another text was read
 */
export async function signDocument({
  change,
  account: { accountName, contactId },
  caller: { loginId },
  params: { documentId },
  body: { sha256 },
}: Act<typeof documents.signDocument>): Promise<AccountDocument> {
  await change
    .selectFrom('document')
    .select('documentId')
    .where('documentId', '=', rowNumber(documentId) ?? -1)
    .where('accountName', '=', accountName)
    .forUpdate()
    .executeTakeFirst();
  const row = await documentById(change, documentId, loginId);
  if (!row || row.accountName !== accountName) throw refuse('NOT_FOUND', { what: 'The document' });
  if (row.signature !== 'to-sign') throw refuse('NOTHING_TO_SIGN', { title: `“${row.title}”` });
  if (!row.opened) throw refuse('NOT_READ', { title: `“${row.title}”` });
  if (row.sha256 !== sha256) throw refuse('STALE', { what: `“${row.title}”` });
  const { fullName, email } = (await contactById(change, contactId!))!;
  await change
    .updateTable('document')
    .set({ signature: 'signed', signedBy: contactId, signedName: fullName, signedAt: change.now })
    .where('documentId', '=', row.documentId)
    .execute();
  await change.note({ document: row.title, sha256, signedBy: fullName });
  await notifyAboutDocument(change, accountName, 'corporate', {
    text: documentsTexts.written('signed', { accountName, title: row.title, fullName, email, sha256 }),
    act: 'View documents',
    onlyCorporate: true,
  });
  return asDocument((await documentById(change, documentId, loginId))!, { forStaff: false });
}
