import { useChange, useKit } from '@portal/app-kit';
import { billing, type StaffInvoice } from '@portal/contract/billing/billing';
import { ReasonDialog } from './ReasonDialog.tsx';

/** Cancels an invoice nothing was paid for, and says why. */
export function CancelInvoice({ invoice: { number, accountName }, onClose }: { invoice: StaffInvoice; onClose: () => void }) {
  const { notify } = useKit();
  const cancel = useChange(billing.cancelInvoice, {
    refresh: [billing.getStaffBilling],
    showsErrors: true,
    onProposed: onClose,
    onDone: () => {
      notify({ text: `${number} is cancelled. ${accountName} gets an e-mail.` });
      onClose();
    },
  });
  return (
    <ReasonDialog
      name="cancel-invoice"
      title={`Cancel ${number}?`}
      act="Cancel the invoice"
      keep="Keep the invoice"
      ifEmpty="Enter a reason. The member sees it."
      body={billing.cancelInvoice.body}
      change={cancel}
      send={body => cancel.mutate({ invoiceNumber: number, body })}
      onClose={onClose}
    >
      <p className="small">
        The invoice number stays in use. Nothing else is billed for the term unless you bill it again, and the account isn’t suspended or
        closed because of it.
      </p>
    </ReasonDialog>
  );
}
