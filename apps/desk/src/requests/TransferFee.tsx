import { money } from '@portal/app-kit/words/billing-words';
import type { StaffResourceRequest } from '@portal/contract/requests/desk';
import { DateText, KeyValueList } from '@portal/ui';
import { AccountLink, Part } from './Parts.tsx';

/** The fee that a transfer waits for. It completes automatically after the payment; one that was put on hold is completed by an act of the case. */
export function TransferFee({ request }: { request: StaffResourceRequest }) {
  const due = request.due!;
  return (
    <Part title="Transfer fee">
      <KeyValueList
        align="left"
        items={[
          { key: 'Payer', value: <AccountLink accountName={due.payer} /> },
          { key: 'Fee', value: money(due.currency, due.amount) },
          {
            key: 'Invoice',
            value: due.invoice ? (
              <>
                {due.invoice.number}, {money(due.currency, due.invoice.total)}, due <DateText value={due.invoice.dueOn} shape="day" />
              </>
            ) : (
              'Issued within a minute'
            ),
          },
          { key: 'Paid', value: due.paidOn ? <DateText value={due.paidOn} shape="date" /> : 'Not yet' },
        ]}
      />
      <p className="small quiet">
        Record the payment with the invoice of {due.payer}. The transfer completes automatically within a minute of the full payment.
      </p>
    </Part>
  );
}
