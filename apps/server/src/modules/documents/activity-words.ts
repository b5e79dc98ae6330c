import type { documents } from '@portal/contract/documents/documents';
import type { files } from '@portal/contract/documents/files';
import { text, word, contact, time, date, type ModuleWords, stateWord } from '../../platform/activity-words.ts';

/** Words of the activity log for this module. */
export const documentsWords = {
  activities: {
    'documents.files': { category: 'documents', actions: { uploadFile: 'Send a file', openOwnFile: 'Open a file' } },
    documents: {
      category: 'documents',
      actions: {
        addDocument: 'Add a document',
        openDocument: 'Open a document',
        signDocument: 'Sign a document',
        issueCertificate: 'Issue a certificate of membership',
        addStaffDocument: 'Add a document',
        openStaffDocument: 'Open a document',
        deleteDocument: 'Delete a document',
        scanFile: 'Check a file for viruses',
        identify: 'Name the registry for the bucket of its files',
        sweep: 'Delete unused files',
      },
    },
  },
  rows: {
    document: {
      what: 'Document',
      key: ['document_id'],
      owner: 'account_name',
      needs: 'member-details-update',
      name: ['title'],
      columns: {
        title: text('Title'),
        file_name: text('File'),
        type: word('Type'),
        visibility: word('Seen by'),
        valid_until: date('Valid until'),
        reference: text('Sent for'),
        signature: stateWord('Signature'),
        signed_by: contact('Signed by'),
        signed_at: time('Signed'),
        deleted_at: time('Deleted'),
        deletion_reason: text('Reason of the deletion'),
      },
      unsaid: ['document_id', 'sha256', 'account_name', 'uploaded_by', 'uploaded_at', 'by_staff', 'signed_name', 'deleted_by'],
    },
    membership_certificate: {
      what: 'Certificate of membership',
      key: ['code'],
      owner: 'account_name',
      name: ['code'],
      columns: {
        code: text('Code'),
        org_name: text('Organisation'),
        economy: text('Economy'),
        member_since: date('Member since'),
        valid_until: date('Valid to'),
      },
      unsaid: ['account_name', 'issued_by', 'issued_at'],
    },
  },
  unshown: {
    registry_identity: 'a name for the bucket of files',
    stored_file: 'content, for any sender',
  },
} satisfies ModuleWords<{ 'documents.files': typeof files; documents: typeof documents }>;

declare module '../../platform/activity-words.ts' {
  interface WordsOfModules {
    documents: typeof documentsWords;
  }
}
