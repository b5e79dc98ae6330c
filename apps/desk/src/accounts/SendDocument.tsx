import { useChange, useKit } from '@portal/app-kit';
import { DocumentForm } from '@portal/app-kit/documents/DocumentForm';
import { documents } from '@portal/contract/documents/documents';
import { Checkbox } from '@portal/ui';
import { useState } from 'react';
import styles from './AccountPage.module.css';

/** Gives an account a document of the registry, to read or to sign. */
export function SendDocument({ accountName, onClose }: { accountName: string; onClose: () => void }) {
  const { notify } = useKit();
  const [toSign, setToSign] = useState(false);
  const send = useChange(documents.addStaffDocument, {
    refresh: [documents.listStaffDocuments],
    showsErrors: true,
    onDone: () => {
      notify({ text: `Document sent to ${accountName}. Its contacts get an e-mail.` });
      onClose();
    },
  });
  return (
    <div className={styles.give}>
      <DocumentForm
        label="Send a document"
        usualType="agreement"
        change={send}
        onSend={body => send.mutate({ accountName, body: { ...body, toSign } })}
        onClose={onClose}
      >
        <Checkbox checked={toSign} onChange={event => setToSign(event.target.checked)}>
          A corporate contact has to sign it
        </Checkbox>
      </DocumentForm>
    </div>
  );
}
