import { useAccount, useRefusal } from '@portal/app-kit';
import { optionalPart } from '@portal/app-kit/page/later';
import { invoiceDay } from '@portal/app-kit/words/billing-words';
import { economyWords } from '@portal/app-kit/words/organisation-words';
import { billing, type BillingDetails as Details } from '@portal/contract/billing/billing';
import { pages } from '@portal/contract/pages';
import { Button, DateText, KeyValueList, Link, Sheet } from '@portal/ui';
import { useState } from 'react';

const EditBillingDetails = optionalPart(() => import('./EditBillingDetails.tsx'), 'EditBillingDetails');

/** Details of the organisation on the next invoice; billing contacts change their part of it here. */
export function BillingDetails({ details }: { details: Details }) {
  const { asStaff } = useAccount();
  const [editing, setEditing] = useState(false);
  const refusal = useRefusal(billing.updateBillingDetails);
  const { orgName, registrationNumber, billingAddress, billingEmail, poNumber, taxResidency, tax, taxDocument, eInvoicesLack } = details;
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
          ...(eInvoicesLack === null
            ? []
            : [{ key: 'E-invoices', value: <None words={`None: the registration number isn’t ${eInvoicesLack}`} /> }]),
          { key: 'PO number', value: poNumber || <None words="None" /> },
        ]}
      />
      {editing && <EditBillingDetails details={details} onClose={() => setEditing(false)} onLost={() => setEditing(false)} />}
    </Sheet>
  );
}

const Day = ({ value }: { value: string }) => <DateText value={value} shape="date" format={invoiceDay} />;

const None = ({ words }: { words: string }) => <span className="quiet">{words}</span>;
