import { useChange, useKit } from '@portal/app-kit';
import { billing, type StaffInvoice } from '@portal/contract/billing/billing';
import { Banner, Button, ButtonRow, Field, Stack, TextArea } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { type FormEvent, useState } from 'react';

/** Cancels an invoice nothing was paid for, and says why. */
export function CancelInvoice({ invoice: { number, accountName }, onClose }: { invoice: StaffInvoice; onClose: () => void }) {
  const { notify } = useKit();
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const cancel = useChange(billing.cancelInvoice, {
    refresh: [billing.getStaffBilling],
    showsErrors: true,
    onDone: () => {
      notify({ text: `${number} is cancelled. ${accountName} gets an e-mail.` });
      onClose();
    },
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (reason.trim() === '') setProblem('Write the reason: the member reads it');
    else cancel.mutate({ invoiceNumber: number, body: { reason: reason.trim() } });
  };
  return (
    <Dialog open onClose={onClose} title={`Cancel ${number}?`} role="alertdialog">
      <form onSubmit={send} noValidate>
        <Stack gap={12}>
          {cancel.error && (
            <Banner kind="error" traceId={cancel.error.errors[0]?.traceId}>
              {cancel.error.message}
            </Banner>
          )}
          <p className="small">
            Its number stays taken. Nothing else is billed for the term, and the account is neither suspended nor closed for it.
          </p>
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
            <Button type="submit" variant="danger" busy={cancel.isPending}>
              Cancel the invoice
            </Button>
            <Button onClick={onClose}>Keep it</Button>
          </ButtonRow>
        </Stack>
      </form>
    </Dialog>
  );
}
