import { documents } from '@portal/contract/documents/documents';
import { files } from '@portal/contract/documents/files';
import { type Implementation, implement } from '../../platform/http/endpoints.ts';
import { issueCertificate } from './certificates.ts';
import {
  addDocument,
  addStaffDocument,
  deleteDocument,
  listDocuments,
  listStaffDocuments,
  recordUpload,
  signDocument,
} from './documents.ts';
import { downloadFile, type FileSource, openDocument, openOwnFile, openStaffDocument } from './opening.ts';

/** @param scanned true if files are scanned for viruses before they can be opened */
export const documentRoutes = ({ source, scanned }: { source: FileSource; scanned: boolean }): Implementation[] => {
  const { secrets } = source;
  return [
    implement(files, {
      uploadFile: ({ change, caller, query, body }) => recordUpload(change, caller, body, { ...query, scanned }),
      openOwnFile: ({ change, caller, params }) => openOwnFile(change, secrets, caller, params.documentId),
      downloadFile: ({ read, caller, params }) => downloadFile(read, source, caller, params.address),
    }),
    implement(documents, {
      listDocuments: ({ read, account, caller }) => listDocuments(read, account, caller),
      addDocument: ({ change, account, caller, body }) => addDocument(change, account, caller, body),
      openDocument: ({ change, account, caller, params }) => openDocument(change, secrets, account, caller, params.documentId),
      signDocument: ({ change, account, caller, params, body }) => signDocument(change, account, caller, params.documentId, body),
      issueCertificate: ({ change, account, caller }) => issueCertificate(change, secrets, account, caller),
      listStaffDocuments: ({ read, caller, params }) => listStaffDocuments(read, params.accountName, caller),
      addStaffDocument: ({ change, caller, params, body }) => addStaffDocument(change, params.accountName, caller, body),
      openStaffDocument: ({ change, caller, params }) => openStaffDocument(change, secrets, caller, params.documentId),
      deleteDocument: ({ change, caller, params, body }) => deleteDocument(change, params.documentId, caller, body),
    }),
  ];
};
