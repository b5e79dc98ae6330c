import { useAccount, useChange, useKit } from '@portal/app-kit';
import { type AccountDocument, documents } from '@portal/contract/documents';
import { Banner, Button, ButtonRow, Checkbox, Stack } from '@portal/ui';
import { Dialog } from '@portal/ui/Dialog';
import { type FormEvent, useState } from 'react';

/** Signing for the member: whoever does has read the text, says so, and gives a second factor. */
export function SignDialog({ document, onClose }: { document: AccountDocument; onClose: () => void }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const [agreed, setAgreed] = useState(false);
  const [missing, setMissing] = useState(false);
  const sign = useChange(documents.signDocument, {
    refresh: [documents.listDocuments],
    showsErrors: true,
    onDone: ({ title }) => {
      notify({ text: `“${title}” is signed. The corporate contacts get an e-mail.` });
      onClose();
    },
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    setMissing(!agreed);
    if (agreed) sign.mutate({ account, documentId: document.documentId, body: { sha256: document.sha256 } });
  };
  return (
    <Dialog open onClose={onClose} title={`Sign “${document.title}”?`} role="alertdialog">
      <form onSubmit={send} noValidate>
        <Stack gap={12}>
          {sign.error && (
            <Banner kind="error" traceId={sign.error.errors[0]?.traceId}>
              {sign.error.message}
            </Banner>
          )}
          <p>
            You sign for {account}. Your name, the time and a fingerprint of the text are kept, and every corporate contact is told. It
            cannot be taken back here.
          </p>
          <Checkbox
            checked={agreed}
            onChange={event => {
              setAgreed(event.target.checked);
              setMissing(false);
            }}
          >
            I read it, and I may sign it for {account}
          </Checkbox>
          {missing && (
            <p role="alert" className="small">
              Say that you read it first.
            </p>
          )}
          <ButtonRow>
            <Button type="submit" variant="commit" busy={sign.isPending}>
              Sign
            </Button>
            <Button onClick={onClose}>Not now</Button>
          </ButtonRow>
        </Stack>
      </form>
    </Dialog>
  );
}
