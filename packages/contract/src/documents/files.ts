import * as z from 'zod/mini';
import { endpoint, group, signedIn } from '../endpoint.ts';
import { fileKindNames, largestFile } from '../file-kinds.ts';
import { FileAddress, openErrors, UploadedFile } from './documents.ts';

export const files = group('documents.files', {
  uploadFile: endpoint({
    method: 'POST',
    path: '/api/files',
    summary:
      'Send a file: PDF, PNG, JPEG, Word, Excel, text or a packet capture, decided on its content. It belongs to nothing until a request or an account takes it.',
    access: signedIn,
    effect: 'drafts',
    query: z.object({ fileName: z.string().check(z.minLength(1), z.maxLength(500)) }),
    body: { largest: largestFile, kinds: fileKindNames },
    answer: UploadedFile,
    errors: ['FILE_TOO_LARGE', 'FILE_REFUSED', 'TOO_MANY_REQUESTS'],
    activity: 'Sent a file',
  }),
  openOwnFile: endpoint({
    method: 'POST',
    path: '/api/files/:documentId/address',
    summary: 'An address for a minute of a file the caller sent, as long as it belongs to no account.',
    access: signedIn,
    effect: 'reading',
    answer: FileAddress,
    errors: openErrors,
    activity: 'Opened a file',
  }),
  downloadFile: endpoint({
    method: 'GET',
    path: '/api/files/:address',
    summary: 'The file of an address, for the person who was given it.',
    access: signedIn,
    answer: 'download',
    downloads: fileKindNames,
    errors: ['NOT_FOUND', 'DOWNLOAD_EXPIRED', 'INVOICE_FILE_LOST'],
  }),
});
