import { documents } from '@portal/contract/documents/documents';
import { files } from '@portal/contract/documents/files';
import { implement, type Implementation } from '../../platform/http/endpoints.ts';
import { issueCertificate } from './certificates.ts';
import { addDocument, addStaffDocument, deleteDocument, listDocuments, listStaffDocuments, signDocument, uploadFile } from './documents.ts';
import { downloadFile, openDocument, openOwnFile, openStaffDocument } from './opening.ts';

export const documentRoutes: readonly Implementation[] = [
  implement(files, { uploadFile, openOwnFile, downloadFile }),
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
