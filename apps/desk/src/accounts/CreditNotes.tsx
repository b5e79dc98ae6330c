import { useDownload } from '@portal/app-kit';
import { invoiceDay, money } from '@portal/app-kit/words/billing-words';
import type { StaffInvoice } from '@portal/contract/billing/billing';
import { corrections } from '@portal/contract/billing/corrections';
import { Button, DateText } from '@portal/ui';
import { OpenEInvoice } from './OpenEInvoice.tsx';

/** The credit notes of an invoice, each with its PDF, and its e-invoice where the invoice has one. */
export function CreditNotes({ invoice: { currency, creditNotes }, hasEInvoice }: { invoice: StaffInvoice; hasEInvoice: boolean }) {
  const save = useDownload(corrections.downloadStaffCreditNote);
  return creditNotes.map(({ number, total, issuedOn, reason }) => (
    <span key={number} className="quiet small">
      {money(currency, total)} credited with {number} on <DateText value={issuedOn} shape="date" format={invoiceDay} />: <bdi>{reason}</bdi>{' '}
      <Button size="s" icon="download" aria-label={`PDF of credit note ${number}`} onClick={() => void save({ creditNoteNumber: number })}>
        PDF
      </Button>{' '}
      {hasEInvoice && <OpenEInvoice number={number} />}
    </span>
  ));
}
