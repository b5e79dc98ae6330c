import { type AccountDocument, documents } from '@portal/contract/documents/documents';
import { ReasonDialog } from '../shell/ReasonDialog.tsx';

/** Registry staff deletes a document of a member, and says why. */
export function DeleteDocument({ document, onClose }: { document: AccountDocument; onClose: () => void }) {
  return (
    <ReasonDialog
      endpoint={documents.deleteDocument}
      body={documents.deleteDocument.body}
      params={{ documentId: document.documentId }}
      name="delete-document"
      title={`Delete “${document.title}”?`}
      act="Delete"
      keep="Cancel"
      ifEmpty="Enter a reason. The member sees it."
      done={`“${document.title}” is deleted. Contacts who could see it get an e-mail.`}
      refresh={[documents.listStaffDocuments]}
      onClose={onClose}
    />
  );
}
