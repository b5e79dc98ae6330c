import { useChange, useKit } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { money } from '@portal/app-kit/words/billing-words';
import { type ProviderReport, reversals } from '@portal/contract/billing/reversals';
import { Field, Mono, TextArea } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';

/** Takes a card payment back that came when nothing was due any more. */
export function RefundCard({
  report: { currency, amount, payment, receipt, invoice },
  onClose,
}: {
  report: ProviderReport;
  onClose: () => void;
}) {
  const { notify } = useKit();
  const refund = useChange(reversals.reversePayment, {
    refresh: [reversals.listProviderReports],
    showsErrors: true,
    onProposed: onClose,
    onDone: () => {
      notify({ text: `${money(currency, amount)} is no longer credit of ${invoice!.accountName}. The account gets an e-mail.` });
      onClose();
    },
  });
  const form = useForm(
    reversals.reversePayment.body,
    { reason: `Nothing was due of ${invoice!.number} any more` },
    {
      name: 'card-refund',
      ifEmpty: { reason: 'Say why. The account reads it.' },
      change: refund,
      toBody: ({ reason }) => ({ kind: 'card-refund' as const, reason }),
      send: body => refund.mutate({ receiptNumber: receipt!, body }),
    },
  );
  return (
    <Dialog open onClose={onClose} title={`Refund ${money(currency, amount)}`}>
      <ActForm form={form} act="Record the refund" onClose={onClose}>
        <p className="small">
          Refund payment <Mono>{payment}</Mono> at the card provider first, then record it here. It is taken off the credit of{' '}
          {invoice!.accountName}, with a reversal dated today.
        </p>
        <Field label="Reason" help="The account reads it." {...form.field('reason')}>
          <TextArea rows={2} {...form.input('reason')} />
        </Field>
      </ActForm>
    </Dialog>
  );
}
