import { useAnswer, useRefusal } from '@portal/app-kit';
import { invoiceDay, invoiceMark, money } from '@portal/app-kit/words/billing-words';
import { OpenButton } from '@portal/app-kit/documents/DocumentList';
import { billing, billingSteps, type StaffAccountBilling, type StaffInvoice } from '@portal/contract/billing/billing';
import type { AccountSheet } from '@portal/contract/staff/desk';
import { Button, DateText, EmptyState, Sheet, StateMark } from '@portal/ui';
import { useState } from 'react';
import styles from './AccountPage.module.css';
import { CancelInvoice } from './CancelInvoice.tsx';
import { ExtendInvoice } from './ExtendInvoice.tsx';
import { RecordPayment } from './RecordPayment.tsx';

type Act = { kind: 'payment' | 'time' | 'cancel'; invoice: StaffInvoice };

/** An account's invoices, payments and next billing step; closed accounts keep their invoices. */
export function AccountBilling({ sheet: { account, own } }: { sheet: AccountSheet }) {
  const answer = useAnswer(billing.getStaffBilling, { accountName: account.accountName });
  const [act, setAct] = useState<Act | null>(null);
  const { invoices, credit, currency, next, today } = answer;
  const close = () => setAct(null);
  return (
    <>
      <Sheet title="Billing" meta={invoices.length > 0 && <span>{invoices.length}</span>}>
        <Next next={next} />
        {credit !== '0.00' && <p className="small">Account credit: {money(currency, credit)}, used for the next invoice.</p>}
        {invoices.length === 0 ? (
          <EmptyState title="No invoices yet" picture={false} />
        ) : (
          <ul className={styles.lines} aria-label={`Invoices of ${account.accountName}`}>
            {invoices.map(invoice => (
              <Line
                key={invoice.number}
                invoice={invoice}
                own={own}
                closed={account.accountStatus === 'closed'}
                onAct={kind => setAct({ kind, invoice })}
              />
            ))}
          </ul>
        )}
      </Sheet>
      {act?.kind === 'payment' && <RecordPayment invoice={act.invoice} today={today} onClose={close} />}
      {act?.kind === 'time' && <ExtendInvoice invoice={act.invoice} today={today} onClose={close} />}
      {act?.kind === 'cancel' && <CancelInvoice invoice={act.invoice} onClose={close} />}
    </>
  );
}

function Next({ next }: Pick<StaffAccountBilling, 'next'>) {
  if (!next) return null;
  return (
    <p className="quiet small">
      Next, on <DateText value={next.day} shape="date" format={invoiceDay} />: {billingSteps[next.step].toLowerCase()}.
    </p>
  );
}

function Line({
  invoice,
  own,
  closed,
  onAct,
}: {
  invoice: StaffInvoice;
  own: boolean;
  closed: boolean;
  onAct: (kind: Act['kind']) => void;
}) {
  const { number, currency, total, balance, state, payments } = invoice;
  const mark = invoiceMark(invoice);
  const refusals = {
    payment: useRefusal(billing.recordPayment),
    time: useRefusal(billing.extendInvoice),
    cancel: useRefusal(billing.cancelInvoice),
  };
  const isOpen = state !== 'paid' && state !== 'cancelled';
  const notOwn = own ? { reason: 'You’re a contact of this account. A colleague has to do this.' } : null;
  const notClosed = closed ? { reason: 'The account is closed. Reactivate it first.' } : null;
  const nothingPaid = payments.length > 0 ? { reason: 'A payment was already recorded for it.' } : null;
  return (
    <li>
      <span className={styles.document}>
        <span>
          <b>{number}</b> {money(currency, total)} <StateMark state={mark.state}>{mark.words}</StateMark>
        </span>
        <span className="quiet small">
          Issued <Day value={invoice.issuedOn} />, due <Day value={invoice.dueOn} />, for <Day value={invoice.periodFrom} /> to{' '}
          <Day value={invoice.periodTo} />.{isOpen && balance !== total && ` ${money(currency, balance)} are missing.`}
          {isOpen && invoice.extendedUntil !== null && (
            <>
              {' '}
              More time until <Day value={invoice.extendedUntil} />.
            </>
          )}
        </span>
        {payments.map(payment => (
          <span key={payment.reference + payment.recordedAt} className="quiet small">
            {money(currency, payment.amount)} by {payment.method} on <Day value={payment.receivedOn} />
            {payment.recordedBy !== null && (
              <>
                , <bdi>{payment.reference}</bdi>, recorded by <bdi>{payment.recordedBy}</bdi>
              </>
            )}
            .
          </span>
        ))}
        {invoice.cancelReason !== null && (
          <span className="quiet small">
            Cancelled: <bdi>{invoice.cancelReason}</bdi>
          </span>
        )}
      </span>
      <span className={styles.acts}>
        <OpenButton check="NOT_CHECKED" name={number} opens={billing.openStaffInvoice} input={{ invoiceNumber: number }} />
        {isOpen && (
          <>
            <Button
              size="s"
              refusal={refusals.payment ?? notOwn ?? notClosed}
              refusalIn="note"
              aria-label={`Record a payment for ${number}`}
              onClick={() => onAct('payment')}
            >
              Record a payment
            </Button>
            <Button
              size="s"
              refusal={refusals.time ?? notOwn ?? notClosed}
              refusalIn="note"
              aria-label={`Give more time for ${number}`}
              onClick={() => onAct('time')}
            >
              Give more time
            </Button>
            <Button
              size="s"
              refusal={refusals.cancel ?? notOwn ?? nothingPaid}
              refusalIn="note"
              aria-label={`Cancel ${number}`}
              onClick={() => onAct('cancel')}
            >
              Cancel
            </Button>
          </>
        )}
      </span>
    </li>
  );
}

const Day = ({ value }: { value: string }) => <DateText value={value} shape="date" format={invoiceDay} />;
