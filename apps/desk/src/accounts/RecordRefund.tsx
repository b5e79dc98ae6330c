import { useChange, useKit } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { money } from '@portal/app-kit/words/billing-words';
import { billing } from '@portal/contract/billing/billing';
import { corrections } from '@portal/contract/billing/corrections';
import { Field, TextArea, TextInput } from '@portal/ui';
import { DateInput } from '@portal/ui/form/DateInput';
import { Dialog } from '@portal/ui/overlay/Dialog';

type Props = { accountName: string; currency: string; credit: string; today: string; onClose: () => void };

/** Records that account credit was paid back by bank transfer. */
export function RecordRefund({ accountName, currency, credit, today, onClose }: Props) {
  const { notify } = useKit();
  const refund = useChange(corrections.recordRefund, {
    refresh: [billing.getStaffBilling],
    showsErrors: true,
    onProposed: onClose,
    onDone: ({ credit: left }) => {
      notify({ text: `The refund is recorded. ${accountName} has ${money(currency, left)} of credit left and gets an e-mail.` });
      onClose();
    },
  });
  const form = useForm(
    corrections.recordRefund.body,
    { amount: credit, refundedOn: today, reference: '', reason: '' },
    {
      name: 'refund',
      ifEmpty: {
        refundedOn: 'Choose the date it was paid back',
        reference: 'Enter the bank’s reference. Each reference can be recorded once.',
        reason: 'Enter a reason. The member sees it.',
      },
      check: ({ refundedOn }) => (refundedOn > today ? { refundedOn: 'The date can’t be in the future' } : {}),
      change: refund,
      send: body => refund.mutate({ accountName, body }),
    },
  );
  return (
    <Dialog open onClose={onClose} title={`Refund credit of ${accountName}`}>
      <ActForm form={form} act="Record the refund" onClose={onClose}>
        <p className="small">Make the bank transfer first. This records it and lowers the credit.</p>
        <Field label={`Amount, ${currency}`} help={`${money(currency, credit)} of credit.`} {...form.field('amount')}>
          <TextInput mono inputMode="decimal" {...form.input('amount')} />
        </Field>
        <Field label="Paid back on" {...form.field('refundedOn')}>
          <DateInput max={today} {...form.input('refundedOn')} />
        </Field>
        <Field label="Bank reference" {...form.field('reference')}>
          <TextInput {...form.input('reference')} />
        </Field>
        <Field label="Reason" {...form.field('reason')}>
          <TextArea rows={2} {...form.input('reason')} />
        </Field>
      </ActForm>
    </Dialog>
  );
}
