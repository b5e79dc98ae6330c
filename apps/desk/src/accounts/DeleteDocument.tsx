import { useChange, useKit } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { type AccountDocument, documents } from '@portal/contract/documents/documents';
import { Field, TextArea } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';

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
  const form = useForm(
    documents.deleteDocument.body,
    { reason: '' },
    {
      name: 'delete-document',
      ifEmpty: { reason: 'Enter a reason. The member sees it.' },
      change: remove,
      send: body => remove.mutate({ documentId: document.documentId, body }),
    },
  );
  return (
    <Dialog open onClose={onClose} title={`Delete “${document.title}”?`} role="alertdialog">
      <ActForm form={form} act="Delete" kind="danger" keep="Cancel" onClose={onClose}>
        <Field label="Reason" {...form.field('reason')}>
          <TextArea rows={2} {...form.input('reason')} />
        </Field>
      </ActForm>
    </Dialog>
  );
}
