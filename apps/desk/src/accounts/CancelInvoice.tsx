import { billing, type StaffInvoice } from '@portal/contract/billing/billing';
import { ReasonDialog } from '../shell/ReasonDialog.tsx';

/** Cancels an invoice nothing was paid for, and says why. */
export function CancelInvoice({ invoice: { number, accountName }, onClose }: { invoice: StaffInvoice; onClose: () => void }) {
  return (
    <ReasonDialog
      endpoint={billing.cancelInvoice}
      body={billing.cancelInvoice.body}
      params={{ invoiceNumber: number }}
      name="cancel-invoice"
      title={`Cancel ${number}?`}
      act="Cancel the invoice"
      keep="Keep the invoice"
      ifEmpty="Enter a reason. The member sees it."
      done={`${number} is cancelled. ${accountName} gets an e-mail.`}
      refresh={[billing.getStaffBilling]}
      onClose={onClose}
    >
      <p className="small">
        The invoice number stays in use. Nothing else is billed for the term unless you bill it again, and the account isn’t suspended or
        closed because of it.
      </p>
    </ReasonDialog>
  );
}
