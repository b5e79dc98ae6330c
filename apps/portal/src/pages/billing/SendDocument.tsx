import { useAccount, useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import type { Invoice } from '@portal/contract/billing/billing';
import { invoiceDocuments } from '@portal/contract/billing/invoice-documents';
import { Button, ButtonRow, Field, Select, Stack, TextArea } from '@portal/ui';
import { useState, useTransition } from 'react';
import styles from './InvoiceDrawer.module.css';

/** Sends an invoice, or one of its credit notes or receipts, to another contact of the account. */
export function SendDocument({ invoice }: { invoice: Invoice }) {
  const [open, setOpen] = useState(false);
  const [loading, load] = useTransition();
  const refusal = useRefusal(invoiceDocuments.sendDocument);
  const close = () => setOpen(false);
  // Inline: a dialog would be below the drawer.
  return open ? (
    <section>
      <h3 className={styles.heading}>Send {invoice.number} to a colleague</h3>
      <SendForm invoice={invoice} onClose={close} />
    </section>
  ) : (
    <Button icon="mail" refusal={refusal} refusalIn="note" busy={loading} onClick={() => load(() => setOpen(true))}>
      Send to a colleague
    </Button>
  );
}

function SendForm({ invoice: { number, payments, creditNotes }, onClose }: { invoice: Invoice; onClose: () => void }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const { rows } = useAnswer(invoiceDocuments.listColleagues, { account });
  const documents = [
    { value: number, label: `Invoice ${number}` },
    ...creditNotes.map(each => ({ value: each.number, label: `Credit note ${each.number}` })),
    ...payments.map(({ receipt }) => ({ value: receipt, label: `Receipt ${receipt}` })),
  ];
  const [chosen, setChosen] = useState(number);
  const send = useChange(invoiceDocuments.sendDocument, {
    showsErrors: true,
    onDone: ({ sentTo }) => {
      notify({ text: `${chosen} was sent to ${sentTo}.` });
      onClose();
    },
  });
  const form = useForm(
    invoiceDocuments.sendDocument.body,
    { contactId: '', note: '' },
    {
      name: 'send-document',
      ifEmpty: { contactId: 'Choose a contact' },
      change: send,
      send: body => send.mutate({ account, documentNumber: chosen, body }),
    },
  );
  if (rows.length === 0)
    return (
      <Stack gap={16}>
        <p>{account} has no other active contacts.</p>
        <ButtonRow>
          <Button onClick={onClose}>Close</Button>
        </ButtonRow>
      </Stack>
    );
  return (
    <ActForm form={form} label={`Send ${number} to a colleague`} act="Send" onClose={onClose}>
      <p className="small">They get an e-mail from the registry with your name, your note and the PDF.</p>
      {documents.length > 1 && (
        <Field id="send-document-number" label="Document">
          <Select options={documents} value={chosen} onChange={event => setChosen(event.target.value)} />
        </Field>
      )}
      <Field label="To" {...form.field('contactId')}>
        <Select
          {...form.input('contactId')}
          options={[
            { value: '', label: 'Choose a contact' },
            ...rows.map(({ contactId, fullName }) => ({ value: contactId, label: fullName })),
          ]}
        />
      </Field>
      <Field label="Note" optional {...form.field('note')}>
        <TextArea rows={3} {...form.input('note')} />
      </Field>
    </ActForm>
  );
}
