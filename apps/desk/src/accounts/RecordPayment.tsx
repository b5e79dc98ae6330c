import { useChange, useKit } from '@portal/app-kit';
import { money } from '@portal/app-kit/words/billing-words';
import { billing, type StaffInvoice } from '@portal/contract/billing/billing';
import { desk } from '@portal/contract/staff/desk';
import { Banner, Button, ButtonRow, Field, Stack, TextInput } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { type FormEvent, useState } from 'react';

/** A bank transfer that came in for an invoice, as the statement of the bank names it. */
export function RecordPayment({ invoice, today, onClose }: { invoice: StaffInvoice; today: string; onClose: () => void }) {
  const { number, currency, balance, accountName } = invoice;
  const { notify } = useKit();
  const [form, setForm] = useState({ amount: balance, receivedOn: today, reference: '' });
  const [sent, setSent] = useState(false);
  const record = useChange(billing.recordPayment, {
    refresh: [billing.getStaffBilling, desk.getAccountSheet],
    showsErrors: true,
    onDone: ({ state, balance: left }) => {
      notify({
        text:
          state === 'paid'
            ? `${number} is paid, and ${accountName} is open for another year. It gets an e-mail.`
            : `${money(currency, left)} of ${number} are still missing. ${accountName} gets an e-mail.`,
      });
      onClose();
    },
  });
  const problems = {
    amount: /^(?!0+(\.0+)?$)\d{1,9}(\.\d{1,2})?$/.test(form.amount.trim()) ? undefined : 'Write an amount such as 2137.32, without commas',
    receivedOn:
      form.receivedOn === '' ? 'Choose the day on which it came in' : form.receivedOn > today ? 'This day has not come yet' : undefined,
    reference: form.reference.trim() === '' ? 'Write how the bank names the transfer: the same one is recorded once' : undefined,
  };
  const set = (changed: Partial<typeof form>) => setForm({ ...form, ...changed });
  const send = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (Object.values(problems).some(problem => problem !== undefined)) return;
    const { amount, receivedOn, reference } = form;
    record.mutate({ invoiceNumber: number, body: { amount: amount.trim(), receivedOn, reference: reference.trim() } });
  };
  return (
    <Dialog open onClose={onClose} title={`Record a payment for ${number}`}>
      <form onSubmit={send} noValidate>
        <Stack gap={12}>
          {record.error && (
            <Banner kind="error" traceId={record.error.errors[0]?.traceId}>
              {record.error.message}
            </Banner>
          )}
          <Field
            label={`Amount, ${currency}`}
            help={`${money(currency, balance)} are to be paid. What is too much becomes credit of the account.`}
            error={sent ? problems.amount : undefined}
          >
            <TextInput
              mono
              inputMode="decimal"
              value={form.amount}
              autoComplete="off"
              onChange={event => set({ amount: event.target.value })}
            />
          </Field>
          <Field label="Received on" error={sent ? problems.receivedOn : undefined}>
            <TextInput type="date" max={today} value={form.receivedOn} onChange={event => set({ receivedOn: event.target.value })} />
          </Field>
          <Field label="Reference of the bank" error={sent ? problems.reference : undefined}>
            <TextInput
              value={form.reference}
              maxLength={100}
              autoComplete="off"
              onChange={event => set({ reference: event.target.value })}
            />
          </Field>
          <ButtonRow>
            <Button type="submit" variant="commit" busy={record.isPending}>
              Record the payment
            </Button>
            <Button onClick={onClose}>Cancel</Button>
          </ButtonRow>
        </Stack>
      </form>
    </Dialog>
  );
}
