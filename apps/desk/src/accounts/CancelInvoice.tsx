import { useChange, useKit } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { billing, type StaffInvoice } from '@portal/contract/billing/billing';
import { Field, TextArea } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';

/** Cancels an invoice nothing was paid for, and says why. */
export function CancelInvoice({ invoice: { number, accountName }, onClose }: { invoice: StaffInvoice; onClose: () => void }) {
  const { notify } = useKit();
  const cancel = useChange(billing.cancelInvoice, {
    refresh: [billing.getStaffBilling],
    showsErrors: true,
    onDone: () => {
      notify({ text: `${number} is cancelled. ${accountName} gets an e-mail.` });
      onClose();
    },
  });
  const form = useForm(
    billing.cancelInvoice.body,
    { reason: '' },
    {
      name: 'cancel-invoice',
      ifEmpty: { reason: 'Enter a reason. The member sees it.' },
      change: cancel,
      send: body => cancel.mutate({ invoiceNumber: number, body }),
    },
  );
  return (
    <Dialog open onClose={onClose} title={`Cancel ${number}?`} role="alertdialog">
      <ActForm form={form} act="Cancel the invoice" kind="danger" keep="Keep the invoice" onClose={onClose}>
        <p className="small">
          The invoice number stays in use. The term isn’t billed again, and the account isn’t suspended or closed because of it.
        </p>
        <Field label="Reason" {...form.field('reason')}>
          <TextArea rows={2} {...form.input('reason')} />
        </Field>
      </ActForm>
    </Dialog>
  );
}
