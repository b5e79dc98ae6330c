import { useAccount, useChange, useKit } from '@portal/app-kit';
import { DocumentForm } from '@portal/app-kit/documents/DocumentForm';
import { documents, type Visibility } from '@portal/contract/documents/documents';
import { Sheet } from '@portal/ui';

/** Adds a document to the account, for its contacts. */
export function AddDocument({ onClose }: { onClose: () => void }) {
  const { accountName: account, contactTypes } = useAccount();
  const { notify } = useKit();
  const add = useChange(documents.addDocument, {
    refresh: [documents.listDocuments],
    showsErrors: true,
    onDone: () => {
      notify({ text: 'The document is added.' });
      onClose();
    },
  });
  // People can't share documents that they could not see themselves.
  const mayChoose = (each: Visibility): boolean =>
    each === 'all-contacts' || contactTypes.includes('corporate') || (each === 'billing' && contactTypes.includes('billing'));
  return (
    <Sheet title="Add a document">
      <DocumentForm
        label="Add a document"
        usualType="other"
        mayChoose={mayChoose}
        change={add}
        onSend={body => add.mutate({ account, body })}
        onClose={onClose}
      />
    </Sheet>
  );
}
