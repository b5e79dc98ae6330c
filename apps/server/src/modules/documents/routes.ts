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
  return [
    implement(files, {
      uploadFile: ({ change, caller, query, body }) => recordUpload(change, caller, body, { ...query, scanned }),
      openOwnFile,
      downloadFile: ({ read, caller, params }) => downloadFile(read, source, caller, params.address),
    }),
    implement(documents, {
      listDocuments,
      addDocument,
      openDocument,
      signDocument,
      issueCertificate,
      listStaffDocuments,
      addStaffDocument,
      openStaffDocument,
      deleteDocument,
    }),
  ];
};
