import { useChange, useKit, useRefusal } from '@portal/app-kit';
import { money } from '@portal/app-kit/words/billing-words';
import { requestDesk, type StaffResourceRequest } from '@portal/contract/requests/desk';
import { Button, DateText, KeyValueList } from '@portal/ui';
import { AccountLink, Part } from './Parts.tsx';

/** The fee that a transfer waits for. It completes automatically after the payment; one that was put on hold is completed here. */
export function TransferFee({ request, onDone }: { request: StaffResourceRequest; onDone: (row: StaffResourceRequest) => void }) {
  const { showErrors } = useKit();
  const refusal = useRefusal(requestDesk.completeTransfer);
  const complete = useChange(requestDesk.completeTransfer, { showsErrors: true, onDone });
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
      <div>
        <Button
          variant="commit"
          busy={complete.isPending}
          refusal={refusal ?? (due.paidOn === null ? { reason: 'The fee isn’t paid yet' } : null)}
          onClick={() =>
            complete.mutate(
              { requestId: request.requestId, body: { version: request.version } },
              { onError: failure => showErrors(failure.errors) },
            )
          }
        >
          Complete now
        </Button>
      </div>
    </Part>
  );
}
