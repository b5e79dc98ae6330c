import { useAccount, useChange, useKit, useRefusal } from '@portal/app-kit';
import { UploadField } from '@portal/app-kit/documents/UploadField';
import { useUploads } from '@portal/app-kit/documents/uploads';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { bankStatements } from '@portal/contract/billing/bank-statements';
import { documents } from '@portal/contract/documents/documents';
import { Button } from '@portal/ui';
import { useState } from 'react';
import styles from './InvoiceDrawer.module.css';

/** Sends the remittance advice of a transfer for an invoice. */
export function SendRemittance({ number }: { number: string }) {
  const [open, setOpen] = useState(false);
  const refusal = useRefusal(bankStatements.sendRemittance);
  // Inline: a dialog would be below the drawer.
  return open ? (
    <section>
      <h3 className={styles.heading}>Remittance advice for {number}</h3>
      <RemittanceForm number={number} onClose={() => setOpen(false)} />
    </section>
  ) : (
    <Button icon="upload" refusal={refusal} refusalIn="note" onClick={() => setOpen(true)}>
      Send remittance advice
    </Button>
  );
}

function RemittanceForm({ number, onClose }: { number: string; onClose: () => void }) {
  const { accountName: account, accountStatus } = useAccount();
  const isClosed = accountStatus === 'closed';
  const { notify } = useKit();
  const uploads = useUploads({ most: 3 });
  const send = useChange(bankStatements.sendRemittance, {
    refresh: [documents.listDocuments],
    showsErrors: true,
    onDone: () => {
      notify({ text: isClosed ? 'The registry has it.' : 'The registry has it. You find it under Documents.' });
      onClose();
    },
  });
  const form = useForm(
    bankStatements.sendRemittance.body,
    {},
    {
      name: 'remittance',
      also: ['documentIds'],
      check: () => ({ documentIds: uploads.problem ?? (uploads.documentIds.length === 0 ? 'Choose a file' : undefined) }),
      change: send,
      toBody: () => ({ documentIds: [...uploads.documentIds] }),
      send: body => send.mutate({ account, invoiceNumber: number, body }),
    },
  );
  const { error, id } = form.field('documentIds') as { error?: string; id?: string };
  return (
    <ActForm form={form} label={`Remittance advice for ${number}`} act="Send" onClose={onClose}>
      <p className="small">
        Your bank’s confirmation of the transfer. It helps us find your payment; the invoice is paid when the money arrives.
      </p>
      <UploadField {...(id !== undefined && { id })} label="Remittance advice" uploads={uploads} error={error} />
    </ActForm>
  );
}
