import { useAccount, useChange, useKit } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { billing, type BillingDetails } from '@portal/contract/billing/billing';
import { Field, TextArea, TextInput } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';

/** The details of invoices that billing contacts change themselves. */
export function EditBillingDetails({ details, onClose }: { details: BillingDetails; onClose: () => void }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const save = useChange(billing.updateBillingDetails, {
    refresh: [billing.getBilling],
    showsErrors: true,
    onDone: () => {
      notify({ text: 'Billing details saved. The next invoice shows them.' });
      onClose();
    },
  });
  const form = useForm(
    billing.updateBillingDetails.body,
    {
      billingAddress: details.billingAddress.join('\n'),
      billingEmail: details.billingEmail,
      poNumber: details.poNumber,
    },
    {
      name: 'billing-details',
      toBody: ({ billingAddress, ...rest }) => ({
        ...rest,
        version: details.version,
        billingAddress: billingAddress
          .split('\n')
          .map(line => line.trim())
          .filter(line => line !== ''),
      }),
      change: save,
      send: body => save.mutate({ account, body }),
    },
  );
  return (
    <Dialog open onClose={onClose} title="Billing details">
      <ActForm form={form} act="Save" onClose={onClose}>
        <Field
          label="Billing address"
          help="Up to 6 lines. If empty, the postal address is used."
          optional
          {...form.field('billingAddress')}
        >
          <TextArea rows={4} {...form.input('billingAddress')} />
        </Field>
        <Field label="E-mail for invoices" help="Also receives every invoice." optional {...form.field('billingEmail')}>
          <TextInput type="email" {...form.input('billingEmail')} />
        </Field>
        <Field label="PO number" help="The next invoice shows it. Issued invoices don’t change." optional {...form.field('poNumber')}>
          <TextInput {...form.input('poNumber')} />
        </Field>
      </ActForm>
    </Dialog>
  );
}
