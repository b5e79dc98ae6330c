import { useAccount, useChange, useKit, useRefusal } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { invoiceDay } from '@portal/app-kit/words/billing-words';
import { economyWords } from '@portal/app-kit/words/organisation-words';
import { billing, type BillingDetails as Details } from '@portal/contract/billing/billing';
import { pages } from '@portal/contract/pages';
import { Button, DateText, Field, KeyValueList, Link, Sheet, TextArea, TextInput } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { useState } from 'react';

/** Details of the organisation on the next invoice; billing contacts change their part of it here. */
export function BillingDetails({ details }: { details: Details }) {
  const { asStaff } = useAccount();
  const [editing, setEditing] = useState(false);
  const refusal = useRefusal(billing.updateBillingDetails);
  const { orgName, registrationNumber, billingAddress, billingEmail, poNumber, taxResidency, tax, taxDocument } = details;
  return (
    <Sheet
      title="Billing details"
      actions={
        !asStaff && (
          <Button size="s" refusal={refusal} refusalIn="note" onClick={() => setEditing(true)}>
            Edit
          </Button>
        )
      }
    >
      <KeyValueList
        items={[
          { key: 'Name on invoices', value: orgName },
          { key: 'Registration or tax number', value: registrationNumber || <None words="None" /> },
          {
            key: 'Tax residency',
            value: taxResidency ? (
              <>
                {economyWords(taxResidency)}.{' '}
                {tax.rate === null ? `${tax.name} isn’t charged.` : `${Number(tax.rate) * 100} % ${tax.name} is charged.`}
              </>
            ) : (
              <None words="Not recorded" />
            ),
          },
          {
            key: 'Tax certificate',
            value: taxDocument ? (
              <>
                <Link href={pages.documents.path}>On file</Link> since <Day value={taxDocument.addedOn} />
                {taxDocument.validUntil && (
                  <>
                    , valid until <Day value={taxDocument.validUntil} />
                  </>
                )}
              </>
            ) : (
              <>
                <None words="None on file." /> <Link href={pages.documents.path}>Documents</Link>
              </>
            ),
          },
          { key: 'Billing address', value: billingAddress.length > 0 ? billingAddress.join(', ') : <None words="The postal address" /> },
          { key: 'Copies to', value: billingEmail || <None words="Corporate and billing contacts only" /> },
          { key: 'PO number', value: poNumber || <None words="None" /> },
        ]}
      />
      {editing && <EditDetails details={details} onClose={() => setEditing(false)} />}
    </Sheet>
  );
}

const Day = ({ value }: { value: string }) => <DateText value={value} shape="date" format={invoiceDay} />;

const None = ({ words }: { words: string }) => <span className="quiet">{words}</span>;

function EditDetails({ details, onClose }: { details: Details; onClose: () => void }) {
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
