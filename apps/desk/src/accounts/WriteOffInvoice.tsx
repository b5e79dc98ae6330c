import { money } from '@portal/app-kit/words/billing-words';
import { billing, type StaffInvoice } from '@portal/contract/billing/billing';
import { corrections } from '@portal/contract/billing/corrections';
import { ReasonDialog } from '../shell/ReasonDialog.tsx';

/** Gives up what a closed account owes for an invoice. */
export function WriteOffInvoice({ invoice, onClose }: { invoice: StaffInvoice; onClose: () => void }) {
  const { number, currency, balance } = invoice;
  return (
    <ReasonDialog
      endpoint={corrections.writeOffInvoice}
      body={corrections.writeOffInvoice.body}
      params={{ invoiceNumber: number }}
      name="write-off"
      title={`Write off ${number}?`}
      act="Write off"
      keep="Keep the debt"
      ifEmpty="Enter a reason. It’s kept with the invoice."
      done={`${number} is written off.`}
      refresh={[billing.getStaffBilling]}
      onClose={onClose}
    >
      <p className="small">{money(currency, balance)} is written off. The invoice takes no payment afterwards. This can’t be undone.</p>
    </ReasonDialog>
  );
}
