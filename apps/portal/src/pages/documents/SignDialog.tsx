import { useAccount, useChange, useKit } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { type AccountDocument, documents } from '@portal/contract/documents/documents';
import { Checkbox } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { useState } from 'react';

/** Signing for the member: whoever does has read the text, says so, and gives a second factor. */
export function SignDialog({ document, onClose }: { document: AccountDocument; onClose: () => void }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const [agreed, setAgreed] = useState(false);
  const sign = useChange(documents.signDocument, {
    refresh: [documents.listDocuments],
    showsErrors: true,
    onDone: ({ title }) => {
      notify({ text: `“${title}” is signed. The corporate contacts get an e-mail.` });
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={`Sign “${document.title}”?`} role="alertdialog">
      <ActForm
        change={sign}
        ready={agreed}
        act="Sign"
        keep="Not now"
        onAct={() => sign.mutate({ account, documentId: document.documentId, body: { sha256: document.sha256 } })}
        onClose={onClose}
      >
        {sent => (
          <>
            <p>
              You sign for {account}. Your name, the time and a fingerprint of the text are kept, and every corporate contact is told. It
              cannot be taken back here.
            </p>
            <Checkbox checked={agreed} onChange={event => setAgreed(event.target.checked)}>
              I read it, and I may sign it for {account}
            </Checkbox>
            {sent && !agreed && (
              <p role="alert" className="small">
                Say that you read it first.
              </p>
            )}
          </>
        )}
      </ActForm>
    </Dialog>
  );
}
