import { useChange, useKit } from '@portal/app-kit';
import { money } from '@portal/app-kit/words/billing-words';
import { billing, type StaffInvoice } from '@portal/contract/billing/billing';
import { corrections } from '@portal/contract/billing/corrections';
import { ReasonDialog } from './ReasonDialog.tsx';

/** Gives up what a closed account owes for an invoice. */
export function WriteOffInvoice({ invoice, onClose }: { invoice: StaffInvoice; onClose: () => void }) {
  const { number, currency, balance } = invoice;
  const { notify } = useKit();
  const writeOff = useChange(corrections.writeOffInvoice, {
    refresh: [billing.getStaffBilling],
    showsErrors: true,
    onProposed: onClose,
    onDone: () => {
      notify({ text: `${number} is written off.` });
      onClose();
    },
  });
  return (
    <ReasonDialog
      name="write-off"
      title={`Write off ${number}?`}
      act="Write off"
      keep="Keep the debt"
      ifEmpty="Enter a reason. It’s kept with the invoice."
      body={corrections.writeOffInvoice.body}
      change={writeOff}
      send={body => writeOff.mutate({ invoiceNumber: number, body })}
      onClose={onClose}
    >
      <p className="small">{money(currency, balance)} is written off. The invoice takes no payment afterwards. This can’t be undone.</p>
    </ReasonDialog>
  );
}
