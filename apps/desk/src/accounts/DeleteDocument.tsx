import { useChange, useKit } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { type AccountDocument, documents } from '@portal/contract/documents/documents';
import { Field, TextArea } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { useState } from 'react';

/** Registry staff deletes a document of a member, and says why. */
export function DeleteDocument({ document, onClose }: { document: AccountDocument; onClose: () => void }) {
  const { notify } = useKit();
  const [reason, setReason] = useState('');
  const remove = useChange(documents.deleteDocument, {
    refresh: [documents.listStaffDocuments],
    showsErrors: true,
    onDone: () => {
      notify({ text: `“${document.title}” is deleted. Those who could see it get an e-mail.` });
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={`Delete “${document.title}”?`} role="alertdialog">
      <ActForm
        change={remove}
        ready={reason.trim() !== ''}
        act="Delete"
        kind="danger"
        keep="Keep it"
        onAct={() => remove.mutate({ documentId: document.documentId, body: { reason: reason.trim() } })}
        onClose={onClose}
      >
        {sent => (
          <Field label="Reason" error={sent && reason.trim() === '' ? 'Write the reason: the member reads it' : null}>
            <TextArea rows={2} maxLength={500} value={reason} onChange={event => setReason(event.target.value)} />
          </Field>
        )}
      </ActForm>
    </Dialog>
  );
}
