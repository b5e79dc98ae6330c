import { rowId } from '../row-ids.ts';
import * as z from 'zod/mini';
import { calendarDay } from '../calendar-day.ts';
import { contact, corporate, endpoint, group, member, staff } from '../endpoint.ts';
import { fileKindNames, maxFiles } from '../file-kinds.ts';
import { oneLine } from '../one-line.ts';
import { severalLines } from '../several-lines.ts';

/** Types of documents, with their labels on the screen. */
export const documentTypes = {
  agreement: 'Agreement',
  certificate: 'Certificate',
  tax: 'Tax',
  identity: 'Identity',
  legal: 'Legal document',
  correspondence: 'Correspondence',
  other: 'Other',
} as const;
export type DocumentType = keyof typeof documentTypes;
const typeNames = Object.keys(documentTypes) as [DocumentType, ...DocumentType[]];

/** Audience of a document within the account: every contact, corporate contacts, or corporate and billing contacts. */
export const visibilities = {
  'all-contacts': 'All contacts',
  corporate: 'Corporate contacts',
  billing: 'Corporate and billing contacts',
} as const;
export type Visibility = keyof typeof visibilities;
const visibilityNames = Object.keys(visibilities) as [Visibility, ...Visibility[]];

export const signatureStates = ['none', 'to-sign', 'signed'] as const;

/** `NOT_CHECKED`: no virus scanner is configured. A file that is `BEING_CHECKED` or `INFECTED` cannot be opened. */
export const fileChecks = ['not-checked', 'being-checked', 'clean', 'infected'] as const;

const file = {
  documentId: z.string(),
  fileName: z.string(),
  kind: z.enum(fileKindNames),
  bytes: z.int(),
  /** SHA-256 of the content, hexadecimal. */
  sha256: z.string(),
  check: z.enum(fileChecks),
  uploadedAt: z.iso.datetime(),
};

/** An uploaded file that is not attached to anything yet; unused, it is deleted after a day. */
export const UploadedFile = z.object(file);
export type UploadedFile = z.infer<typeof UploadedFile>;

/** An attached file: of a change of the organisation, an application, or a ticket. */
export const Attachment = z.object({ ...file, uploadedBy: z.string() });
export type Attachment = z.infer<typeof Attachment>;

/** The ids of uploaded files that go with a request. */
export const AttachedIds = z._default(z.array(rowId()).check(z.maxLength(maxFiles)), []);

export const AccountDocument = z.object({
  ...file,
  title: z.string(),
  type: z.enum(typeNames),
  visibility: z.enum(visibilityNames),
  validUntil: z.nullable(z.iso.date()),
  /** The request it was sent for: `ORG-12`; null for a document on its own. */
  reference: z.nullable(z.string()),
  /** A contact, or `Registry staff`. */
  uploadedBy: z.string(),
  signature: z.enum(signatureStates),
  signedBy: z.nullable(z.string()),
  signedAt: z.nullable(z.iso.datetime()),
  /** The caller has opened it: a document must be opened before it can be signed. */
  opened: z.boolean(),
});
export type AccountDocument = z.infer<typeof AccountDocument>;

/** Temporary address of a file: valid for a minute, and only for the person who asked. */
export const FileAddress = z.object({ address: z.string(), fileName: z.string(), expiresAt: z.iso.datetime() });
export type FileAddress = z.infer<typeof FileAddress>;
/** Lifetime of a file's address, in seconds. */
export const fileAddressSeconds = 60;

export const documentTitleLength = 150;
const described = {
  documentId: rowId('Choose a file'),
  title: oneLine(documentTitleLength, 1, 'Enter a title'),
  type: z.enum(typeNames, { error: `Choose one of ${typeNames.join(', ')}` }),
  visibility: z.enum(visibilityNames, { error: `Choose one of ${visibilityNames.join(', ')}` }),
  validUntil: z._default(z.nullable(calendarDay()), null),
};

/** Errors of opening a file. */
export const openErrors = ['NOT_FOUND', 'BEING_CHECKED', 'FILE_UNUSABLE'] as const;

export const documents = group('documents', {
  listDocuments: endpoint({
    method: 'GET',
    path: '/api/:account/documents',
    summary: 'The documents of the account the caller may see, newest first; those to sign stand first.',
    access: { ...contact, staff: 'private-data' },
    answer: z.object({ rows: z.array(AccountDocument) }),
  }),
  addDocument: endpoint({
    method: 'POST',
    path: '/api/:account/documents',
    summary: 'Make a file that was sent a document of the account.',
    access: member('member-details-update'),
    effect: 'records',
    body: z.object(described),
    answer: AccountDocument,
    errors: ['NOT_FOUND', 'FILE_UNUSABLE'],
    activity: 'Added a document',
  }),
  openDocument: endpoint({
    method: 'POST',
    path: '/api/:account/documents/:documentId/address',
    summary: 'An address for a minute of a document, for the caller only. Every opening is kept.',
    access: contact,
    effect: 'reading',
    answer: FileAddress,
    errors: openErrors,
    activity: 'Opened a document',
  }),
  signDocument: endpoint({
    method: 'POST',
    path: '/api/:account/documents/:documentId/sign',
    summary: 'Sign a document for the member, having read it: `sha256` says which text was read.',
    access: corporate,
    effect: 'statements',
    body: z.object({ sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)) }),
    answer: AccountDocument,
    errors: ['NOT_FOUND', 'NOTHING_TO_SIGN', 'NOT_READ', 'STALE'],
    activity: 'Signed a document',
  }),
  issueCertificate: endpoint({
    method: 'POST',
    path: '/api/:account/documents/certificate',
    summary: 'Issue a certificate of membership, as of now, with a code anyone can check; answers the address of the PDF.',
    access: contact,
    effect: 'reading',
    answer: z.extend(FileAddress, { code: z.string() }),
    errors: ['ACCOUNT_SUSPENDED', 'TOO_MANY_REQUESTS'],
    activity: 'Issued a certificate of membership',
  }),
  listStaffDocuments: endpoint({
    method: 'GET',
    path: '/api/staff/accounts/:accountName/documents',
    summary: 'All documents of any account, newest first; those to sign stand first.',
    access: staff('private-data'),
    answer: z.object({ rows: z.array(AccountDocument) }),
    errors: ['NOT_FOUND'],
  }),
  addStaffDocument: endpoint({
    method: 'POST',
    path: '/api/staff/accounts/:accountName/documents',
    summary: 'Give an account a document, to read or to sign.',
    access: staff('private-data'),
    effect: 'statements',
    body: z.object({ ...described, toSign: z._default(z.boolean(), false) }),
    answer: AccountDocument,
    errors: ['NOT_FOUND', 'FILE_UNUSABLE', 'OWN_REQUEST'],
    activity: 'Added a document',
  }),
  openStaffDocument: endpoint({
    method: 'POST',
    path: '/api/staff/documents/:documentId/address',
    summary: 'An address for a minute of any document, for the caller only. Every opening is kept.',
    access: staff(['private-data', 'audit']),
    effect: 'reading',
    answer: FileAddress,
    errors: openErrors,
    activity: 'Opened a document',
  }),
  deleteDocument: endpoint({
    method: 'POST',
    path: '/api/staff/documents/:documentId/delete',
    summary: 'Delete a document of an account, with the reason. What was signed stays.',
    access: staff('private-data'),
    effect: 'statements',
    body: z.object({ reason: severalLines(500, 1) }),
    errors: ['NOT_FOUND', 'FILE_UNUSABLE', 'OWN_REQUEST'],
    activity: 'Deleted a document',
  }),
});
