import { useChange, useKit } from '@portal/app-kit';
import { type AccountDocument, documents } from '@portal/contract/documents';
import { Banner, Button, ButtonRow, Field, Stack, TextArea } from '@portal/ui';
import { Dialog } from '@portal/ui/Dialog';
import { type FormEvent, useState } from 'react';

/** Registry staff deletes a document of a member, and says why. */
export function DeleteDocument({ document, onClose }: { document: AccountDocument; onClose: () => void }) {
  const { notify } = useKit();
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const remove = useChange(documents.deleteDocument, {
    refresh: [documents.listStaffDocuments],
    showsErrors: true,
    onDone: () => {
      notify({ text: `“${document.title}” is deleted. Those who could see it get an e-mail.` });
      onClose();
    },
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (reason.trim() === '') setProblem('Write the reason: the member reads it');
    else remove.mutate({ documentId: document.documentId, body: { reason: reason.trim() } });
  };
  return (
    <Dialog open onClose={onClose} title={`Delete “${document.title}”?`} role="alertdialog">
      <form onSubmit={send} noValidate>
        <Stack gap={12}>
          {remove.error && (
            <Banner kind="error" traceId={remove.error.errors[0]?.traceId}>
              {remove.error.message}
            </Banner>
          )}
          <Field label="Reason" error={problem}>
            <TextArea
              rows={2}
              maxLength={500}
              value={reason}
              onChange={event => {
                setReason(event.target.value);
                setProblem(null);
              }}
            />
          </Field>
          <ButtonRow>
            <Button type="submit" variant="danger" busy={remove.isPending}>
              Delete
            </Button>
            <Button onClick={onClose}>Keep it</Button>
          </ButtonRow>
        </Stack>
      </form>
    </Dialog>
  );
}
