import { useChange, useKit } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { money } from '@portal/app-kit/words/billing-words';
import { billing, type StaffInvoice } from '@portal/contract/billing/billing';
import { corrections } from '@portal/contract/billing/corrections';
import { Field, TextArea, TextInput } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';

/** Issues a credit note for a part of an invoice. */
export function CreditInvoice({ invoice, left, onClose }: { invoice: StaffInvoice; left: string; onClose: () => void }) {
  const { number, currency, accountName } = invoice;
  const { notify } = useKit();
  const credit = useChange(corrections.issueCreditNote, {
    refresh: [billing.getStaffBilling],
    showsErrors: true,
    onProposed: onClose,
    onDone: ({ creditNotes }) => {
      notify({ text: `${creditNotes.at(-1)!.number} is issued. ${accountName} gets an e-mail.` });
      onClose();
    },
  });
  const form = useForm(
    corrections.issueCreditNote.body,
    { amount: '', reason: '' },
    {
      name: 'credit-note',
      ifEmpty: { amount: 'Enter the amount to credit', reason: 'Enter a reason. The member sees it.' },
      change: credit,
      send: body => credit.mutate({ invoiceNumber: number, body }),
    },
  );
  return (
    <Dialog open onClose={onClose} title={`Credit note for ${number}`}>
      <ActForm form={form} act="Issue the credit note" onClose={onClose}>
        <p className="small">
          The invoice stays as it was issued. What was paid beyond the rest becomes account credit. Credited in full, the invoice is
          cancelled. This can’t be undone.
        </p>
        <Field label={`Amount with tax, ${currency}`} help={`Up to ${money(currency, left)}.`} {...form.field('amount')}>
          <TextInput mono inputMode="decimal" {...form.input('amount')} />
        </Field>
        <Field label="Reason" {...form.field('reason')}>
          <TextArea rows={2} {...form.input('reason')} />
        </Field>
      </ActForm>
    </Dialog>
  );
}
