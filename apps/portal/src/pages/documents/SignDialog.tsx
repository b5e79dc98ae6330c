import { useAccount, useChange, useKit } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { type AccountDocument, documents } from '@portal/contract/documents/documents';
import { Checkbox } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';

/** Signs for the member: the signer has read the text, confirms it, and gives a second factor. */
export function SignDialog({ document, onClose }: { document: AccountDocument; onClose: () => void }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const sign = useChange(documents.signDocument, {
    refresh: [documents.listDocuments],
    showsErrors: true,
    onDone: ({ title }) => {
      notify({ text: `“${title}” is signed. The corporate contacts get an e-mail.` });
      onClose();
    },
  });
  const form = useForm(
    documents.signDocument.body,
    { agreed: false },
    {
      name: 'sign',
      toBody: () => ({ sha256: document.sha256 }),
      check: ({ agreed }) => (agreed ? {} : { agreed: 'Confirm that you read it.' }),
      change: sign,
      send: body => sign.mutate({ account, documentId: document.documentId, body }),
    },
  );
  const { id, error } = form.field('agreed');
  return (
    <Dialog open onClose={onClose} title={`Sign “${document.title}”?`} role="alertdialog">
      <ActForm form={form} act="Sign" keep="Cancel" onClose={onClose}>
        <p>
          You sign for {account}. Your name, the time and a fingerprint of the text are recorded, and every corporate contact gets an
          e-mail. This can’t be undone.
        </p>
        <Checkbox
          id={id}
          checked={form.values.agreed}
          aria-invalid={error ? true : undefined}
          aria-describedby={error && `${id}-error`}
          onChange={event => form.set({ agreed: event.target.checked })}
        >
          I’ve read it and I’m authorised to sign for {account}
        </Checkbox>
        {error && (
          <p role="alert" id={`${id}-error`} className="small">
            {error}
          </p>
        )}
      </ActForm>
    </Dialog>
  );
}
