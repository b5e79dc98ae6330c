import { type Download, holdsOneOf } from '@portal/contract';
import { type documents, type FileAddress, fileAddressSeconds } from '@portal/contract/documents/documents';
import type { files } from '@portal/contract/documents/files';
import { fileKinds } from '@portal/contract/file-kinds';
import { sql } from 'kysely';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import type { Secrets } from '../../platform/secret-box.ts';
import { activeContactOf } from '../accounts/index.ts';
import { certificateFile } from './certificates.ts';
import { documentById, type DocumentRow, refuseInfected, seesDocument } from './documents.ts';
import { type Addressed, fileAddress, readFileAddress } from './file-address.ts';
import { fileStorage } from './file-storage.ts';

const theFile = { what: 'The file' };
const theDocument = { what: 'The document' };

/** Records the opening, and returns the address of the file, valid for a minute. @throws Failure BEING_CHECKED, FILE_UNUSABLE */
async function openFile(change: Change, secrets: Secrets, { loginId }: Caller, row: DocumentRow): Promise<FileAddress> {
  if (row.check === 'being-checked') throw refuse('BEING_CHECKED', { name: `“${row.fileName}”` });
  refuseInfected(row);
  await change.insertInto('documentOpening').values({ documentId: row.documentId, loginId, openedAt: change.now }).execute();
  await change.note({ document: row.title, file: row.fileName, sha256: row.sha256 });
  const addressed = { what: 'document', id: String(row.documentId) } as const;
  return { ...fileAddress(secrets, addressed, loginId, new Date(change.now)), fileName: row.fileName };
}

/** Opens a document of the account, for a contact who may see it. @throws Failure NOT_FOUND, BEING_CHECKED, FILE_UNUSABLE */
export async function openDocument({
  change,
  account: { accountName, contactTypes },
  caller,
  params: { documentId },
  registry: { config: secrets },
}: Act<typeof documents.openDocument>): Promise<FileAddress> {
  const row = await documentById(change, documentId);
  if (!row || row.accountName !== accountName || !seesDocument(contactTypes, caller.loginId, row)) throw refuse('NOT_FOUND', theDocument);
  return openFile(change, secrets, caller, row);
}

/** Opens an unattached file of the caller. @throws Failure NOT_FOUND, BEING_CHECKED, FILE_UNUSABLE */
export async function openOwnFile({
  change,
  caller,
  params: { documentId },
  registry: { config: secrets },
}: Act<typeof files.openOwnFile>): Promise<FileAddress> {
  const row = await documentById(change, documentId);
  if (!row || row.accountName !== null || row.uploadedBy !== caller.loginId) throw refuse('NOT_FOUND', theFile);
  return openFile(change, secrets, caller, row);
}

/**
 * Opens a file of a request that belongs to no account. The calling function must have checked that the person may read the request.
 * @param references the requests whose files the person may read
 * @throws Failure NOT_FOUND, BEING_CHECKED, FILE_UNUSABLE
 */
export async function openAttachment({
  change,
  secrets,
  caller,
  documentId,
  references,
}: {
  change: Change;
  secrets: Secrets;
  caller: Caller;
  documentId: string;
  references: readonly string[];
}): Promise<FileAddress> {
  const row = await documentById(change, documentId);
  if (!row || row.accountName !== null || row.reference === null || !references.includes(row.reference)) throw refuse('NOT_FOUND', theFile);
  return openFile(change, secrets, caller, row);
}

/** Opens any document that belongs to something, for registry staff. @throws Failure NOT_FOUND, BEING_CHECKED, FILE_UNUSABLE */
export async function openStaffDocument({
  change,
  caller,
  params: { documentId },
  registry: { config: secrets },
}: Act<typeof documents.openStaffDocument>): Promise<FileAddress> {
  const row = await documentById(change, documentId);
  if (!row || (row.accountName === null && row.reference === null)) throw refuse('NOT_FOUND', theDocument);
  if (row.accountName !== null) await change.concerns(row.accountName);
  return openFile(change, secrets, caller, row);
}

/** Returns whether a person opened a file of a request within the validity of an address, when access was checked. */
async function openedLately(read: Read, { loginId }: Caller, { documentId }: DocumentRow): Promise<boolean> {
  const [row] = await read.rows(sql`select 1 from document_opening where document_id = ${documentId} and login_id = ${loginId}
    and opened_at > now() - make_interval(secs => ${2 * fileAddressSeconds})`);
  return row !== undefined;
}

/** Returns whether a person may see a document at this moment, regardless of earlier access (S20). */
async function mayFetch(read: Read, caller: Caller, row: DocumentRow): Promise<boolean> {
  if (caller.staff && caller.mfa && holdsOneOf(caller.staffPermissions, ['private-data'], true)) return true;
  if (row.accountName === null)
    return row.uploadedBy === caller.loginId || (row.reference !== null && (await openedLately(read, caller, row)));
  const contact = await activeContactOf(read, row.accountName, caller.loginId);
  return contact !== null && seesDocument(contact.contactTypes, caller.loginId, row);
}

/** Opens the files of another module at addresses of `fileAddress`. */
export type AddressedFile = {
  what: Addressed['what'];
  /** Returns the file if the person may see it. @throws Failure NOT_FOUND */
  open: (read: Read, caller: Caller, id: string) => Promise<Download>;
};

declare module '../../platform/module.ts' {
  interface Contributions {
    /** Files that are opened by an address from `fileAddress`. */
    addressedFiles?: (context: ModuleContext) => readonly AddressedFile[];
  }
}

/**
 * Returns the file of an address. Another person's address looks non-existent.
 * @throws Failure NOT_FOUND, DOWNLOAD_EXPIRED, UNAVAILABLE if the content is missing
 */
export async function downloadFile({ read, caller, params: { address }, registry }: Act<typeof files.downloadFile>): Promise<Download> {
  const addressed = readFileAddress(registry.config, address, caller.loginId, registry.now);
  if (addressed === null) throw refuse('NOT_FOUND', theFile);
  if (addressed === 'expired') throw refuse('DOWNLOAD_EXPIRED');
  if (addressed.what === 'certificate') return certificateFile(read, addressed.id, registry);
  if (addressed.what !== 'document') {
    const others = registry.modules.flatMap(({ addressedFiles }) => addressedFiles?.(registry) ?? []);
    const other = others.find(({ what }) => what === addressed.what);
    if (!other) throw refuse('NOT_FOUND', theFile);
    return other.open(read, caller, addressed.id);
  }
  const row = await documentById(read, addressed.id);
  if (!row || !(await mayFetch(read, caller, row))) throw refuse('NOT_FOUND', theFile);
  refuseInfected(row);
  const store = registry.outside(fileStorage);
  // Asked for when it is read: an answer without content, as to a part outside of it, costs the store nothing.
  const chunks = (async function* () {
    const found = await store.read(row.sha256);
    if (!found) throw new Error(`The content of document ${row.documentId} is not at ${store.where(row.sha256)}.`);
    yield* found;
  })();
  return { fileName: row.fileName, contentType: fileKinds[row.kind].mediaType, chunks, bytes: row.bytes, sha256: row.sha256 };
}
