import { useChange, useKit } from '@portal/app-kit';
import { billing, type StaffInvoice } from '@portal/contract/billing/billing';
import { Banner, Button, ButtonRow, Field, Stack, TextArea, TextInput } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { type FormEvent, useState } from 'react';

/** More time to pay: suspension and closing wait for it. */
export function GiveMoreTime({
  invoice: { number, accountName },
  today,
  onClose,
}: {
  invoice: StaffInvoice;
  today: string;
  onClose: () => void;
}) {
  const { notify } = useKit();
  const [until, setUntil] = useState('');
  const [reason, setReason] = useState('');
  const [sent, setSent] = useState(false);
  const extend = useChange(billing.extendInvoice, {
    refresh: [billing.getStaffBilling],
    showsErrors: true,
    onDone: () => {
      notify({ text: `${accountName} has more time for ${number}. It gets an e-mail.` });
      onClose();
    },
  });
  const problems = {
    until: until <= today ? 'Choose a day after today' : undefined,
    reason: reason.trim() === '' ? 'Write the reason: the member reads it' : undefined,
  };
  const send = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (!problems.until && !problems.reason) extend.mutate({ invoiceNumber: number, body: { until, reason: reason.trim() } });
  };
  return (
    <Dialog open onClose={onClose} title={`More time for ${number}`}>
      <form onSubmit={send} noValidate>
        <Stack gap={12}>
          {extend.error && (
            <Banner kind="error" traceId={extend.error.errors[0]?.traceId}>
              {extend.error.message}
            </Banner>
          )}
          <Field
            label="Until"
            help="The account is neither suspended for it nor closed before this day. When the invoice is due stays."
            error={sent ? problems.until : undefined}
          >
            <TextInput type="date" min={today} value={until} onChange={event => setUntil(event.target.value)} />
          </Field>
          <Field label="Reason" error={sent ? problems.reason : undefined}>
            <TextArea rows={2} maxLength={500} value={reason} onChange={event => setReason(event.target.value)} />
          </Field>
          <ButtonRow>
            <Button type="submit" variant="commit" busy={extend.isPending}>
              Give more time
            </Button>
            <Button onClick={onClose}>Cancel</Button>
          </ButtonRow>
        </Stack>
      </form>
    </Dialog>
  );
}
