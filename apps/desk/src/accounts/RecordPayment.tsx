import { useChange, useKit } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { invoiceDay, money } from '@portal/app-kit/words/billing-words';
import { billing, isOfTerm, type StaffInvoice } from '@portal/contract/billing/billing';
import { desk } from '@portal/contract/staff/desk';
import { Checkbox, DateText, Field, TextInput } from '@portal/ui';
import { DateInput } from '@portal/ui/form/DateInput';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { useState } from 'react';

/** A bank transfer that came in for an invoice, as the statement of the bank names it. */
export function RecordPayment({
  invoice,
  closed,
  today,
  onClose,
}: {
  invoice: StaffInvoice;
  closed: boolean;
  today: string;
  onClose: () => void;
}) {
  const { kind, number, currency, balance, accountName } = invoice;
  const { notify } = useKit();
  const record = useChange(billing.recordPayment, {
    refresh: [billing.getStaffBilling, desk.getAccountSheet],
    showsErrors: true,
    onProposed: onClose,
    onDone: ({ state, balance: left }) => {
      notify({
        text:
          state === 'paid'
            ? !isOfTerm({ kind }) || closed
              ? `${number} is paid. ${kind === 'transfer' ? 'Its transfer completes' : `${accountName} opens when everything is paid,`} within a minute. It gets an e-mail.`
              : `${number} is paid, and ${accountName} is open for another year. It gets an e-mail.`
            : `${money(currency, left)} of ${number} still due. ${accountName} gets an e-mail.`,
      });
      onClose();
    },
  });
  // The reference that looks like a recorded one: confirmed once, for as long as it is not changed.
  const [askedFor, setAskedFor] = useState<string | null>(null);
  const form = useForm(
    billing.recordPayment.body,
    { amount: balance, receivedOn: today, reference: '', isAnother: false, isEarly: false },
    {
      name: 'payment',
      ifEmpty: {
        receivedOn: 'Choose the date it was received',
        reference: 'Enter the bank’s reference. Each reference can be recorded once.',
      },
      check: ({ receivedOn }) => (receivedOn > today ? { receivedOn: 'The date can’t be in the future' } : {}),
      change: record,
      send: ({ isAnother, isEarly, ...body }) =>
        record.mutate({
          invoiceNumber: number,
          body: { ...body, ...(isAnother && looksRecorded && { isAnother }), ...(isEarly && isBefore && { isEarly }) },
        }),
    },
  );
  const asked = record.error?.code === 'PAYMENT_ALIKE' ? record.variables?.body.reference : undefined;
  if (asked !== undefined && asked !== askedFor) setAskedFor(asked);
  const looksRecorded = askedFor === form.values.reference.trim();
  const isBefore = form.values.receivedOn !== '' && form.values.receivedOn < invoice.issuedOn;
  return (
    <Dialog open onClose={onClose} title={`Record a payment for ${number}`}>
      <ActForm form={form} act="Record the payment" onClose={onClose}>
        <Field
          label={`Amount, ${currency}`}
          help={`${money(currency, balance)} due. Overpayment becomes account credit.`}
          {...form.field('amount')}
        >
          <TextInput mono inputMode="decimal" {...form.input('amount')} />
        </Field>
        <Field label="Received on" {...form.field('receivedOn')}>
          <DateInput max={today} {...form.input('receivedOn')} />
        </Field>
        <Field label="Bank reference" {...form.field('reference')}>
          <TextInput {...form.input('reference')} />
        </Field>
        {isBefore && (
          <Checkbox checked={form.values.isEarly} onChange={event => form.set({ isEarly: event.target.checked })}>
            The money came before the invoice was issued on <DateText value={invoice.issuedOn} shape="day" format={invoiceDay} />.
          </Checkbox>
        )}
        {looksRecorded && (
          <Checkbox checked={form.values.isAnother} onChange={event => form.set({ isAnother: event.target.checked })}>
            This is another transfer. I compared both with the bank statement.
          </Checkbox>
        )}
      </ActForm>
    </Dialog>
  );
}
