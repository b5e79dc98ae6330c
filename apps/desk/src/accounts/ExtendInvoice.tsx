import { useChange, useKit } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { billing, type StaffInvoice } from '@portal/contract/billing/billing';
import { Field, TextArea } from '@portal/ui';
import { DateInput } from '@portal/ui/form/DateInput';
import { Dialog } from '@portal/ui/overlay/Dialog';

/** More time to pay: suspension and closing wait for it. */
export function ExtendInvoice({
  invoice: { number, accountName },
  today,
  onClose,
}: {
  invoice: StaffInvoice;
  today: string;
  onClose: () => void;
}) {
  const { notify } = useKit();
  const extend = useChange(billing.extendInvoice, {
    refresh: [billing.getStaffBilling],
    showsErrors: true,
    onDone: () => {
      notify({ text: `${accountName} has more time for ${number}. It gets an e-mail.` });
      onClose();
    },
  });
  const form = useForm(
    billing.extendInvoice.body,
    { until: '', reason: '' },
    {
      name: 'more-time',
      ifEmpty: { until: 'Choose a date after today', reason: 'Enter a reason. The member sees it.' },
      check: ({ until }) => (until <= today ? { until: 'Choose a date after today' } : {}),
      change: extend,
      send: body => extend.mutate({ invoiceNumber: number, body }),
    },
  );
  return (
    <Dialog open onClose={onClose} title={`More time for ${number}`}>
      <ActForm form={form} act="Give more time" onClose={onClose}>
        <Field
          label="Until"
          help="The account isn’t suspended or closed for this invoice before then. The due date doesn’t change."
          {...form.field('until')}
        >
          <DateInput min={today} {...form.input('until')} />
        </Field>
        <Field label="Reason" {...form.field('reason')}>
          <TextArea rows={2} {...form.input('reason')} />
        </Field>
      </ActForm>
    </Dialog>
  );
}
