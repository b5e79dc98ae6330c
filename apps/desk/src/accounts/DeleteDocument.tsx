import { useChange, useKit } from '@portal/app-kit';
import { type AccountDocument, documents } from '@portal/contract/documents/documents';
import { ReasonDialog } from './ReasonDialog.tsx';

/** Registry staff deletes a document of a member, and says why. */
export function DeleteDocument({ document, onClose }: { document: AccountDocument; onClose: () => void }) {
  const { notify } = useKit();
  const remove = useChange(documents.deleteDocument, {
    refresh: [documents.listStaffDocuments],
    showsErrors: true,
    onDone: () => {
      notify({ text: `“${document.title}” is deleted. Contacts who could see it get an e-mail.` });
      onClose();
    },
  });
  return (
    <ReasonDialog
      name="delete-document"
      title={`Delete “${document.title}”?`}
      act="Delete"
      keep="Cancel"
      ifEmpty="Enter a reason. The member sees it."
      body={documents.deleteDocument.body}
      change={remove}
      send={body => remove.mutate({ documentId: document.documentId, body })}
      onClose={onClose}
    />
  );
}
