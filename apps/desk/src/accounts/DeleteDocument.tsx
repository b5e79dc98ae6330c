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
      notify({ text: `“${document.title}” is deleted. Those who could see it get an e-mail.` });
      onClose();
    },
  });
  const form = useForm(
    documents.deleteDocument.body,
    { reason: '' },
    {
      name: 'delete-document',
      ifEmpty: { reason: 'Write the reason: the member reads it' },
      change: remove,
      send: body => remove.mutate({ documentId: document.documentId, body }),
    },
  );
  return (
    <Dialog open onClose={onClose} title={`Delete “${document.title}”?`} role="alertdialog">
      <ActForm form={form} act="Delete" kind="danger" keep="Keep it" onClose={onClose}>
        <Field label="Reason" {...form.field('reason')}>
          <TextArea rows={2} {...form.input('reason')} />
        </Field>
      </ActForm>
    </Dialog>
  );
}
