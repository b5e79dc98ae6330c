import { useChange, useKit } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { money } from '@portal/app-kit/words/billing-words';
import { billing, type StaffInvoice } from '@portal/contract/billing/billing';
import { type ReversalKind, reversalKinds, reversals } from '@portal/contract/billing/reversals';
import { desk } from '@portal/contract/staff/desk';
import { Field, Select, TextArea, TextInput } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';

const kinds = Object.entries(reversalKinds).map(([value, label]) => ({ value, label }));

/** Reverses a payment that is none, or moves it to the right invoice. */
export function ReversePayment({
  invoice: { number, currency },
  payment: { receipt, amount },
  onClose,
}: {
  invoice: StaffInvoice;
  payment: StaffInvoice['payments'][number];
  onClose: () => void;
}) {
  const { notify } = useKit();
  const reverse = useChange(reversals.reversePayment, {
    refresh: [billing.getStaffBilling, desk.getAccountSheet],
    showsErrors: true,
    onProposed: onClose,
    onDone: () => {
      notify({ text: `${money(currency, amount)} for ${number} is reversed. The account gets an e-mail.` });
      onClose();
    },
  });
  const form = useForm(
    reversals.reversePayment.body,
    { kind: 'wrong-invoice' as ReversalKind, moveTo: '', reason: '' },
    {
      name: 'reversal',
      ifEmpty: { reason: 'Say why. The account reads it.' },
      change: reverse,
      toBody: ({ kind, moveTo, reason }) => ({ kind, reason, ...(kind === 'wrong-invoice' && { moveTo }) }),
      send: body => reverse.mutate({ receiptNumber: receipt, body }),
    },
  );
  const isMoved = form.values.kind === 'wrong-invoice';
  return (
    <Dialog open onClose={onClose} title={`Reverse ${money(currency, amount)} for ${number}`}>
      <ActForm form={form} act={isMoved ? 'Move the payment' : 'Reverse the payment'} onClose={onClose}>
        <p className="small">
          {number} becomes due again in 14 days, and the account isn’t suspended or closed before then. The payment stays in the books, with
          a reversal dated today.
        </p>
        <Field label="Cause" {...form.field('kind')}>
          <Select options={kinds} {...form.input('kind')} />
        </Field>
        {isMoved && (
          <Field label="Correct invoice" help="The payment is recorded for it, such as INV-2026-000001." {...form.field('moveTo')}>
            <TextInput mono {...form.input('moveTo')} />
          </Field>
        )}
        <Field label="Reason" help="The account reads it." {...form.field('reason')}>
          <TextArea rows={2} {...form.input('reason')} />
        </Field>
      </ActForm>
    </Dialog>
  );
}
