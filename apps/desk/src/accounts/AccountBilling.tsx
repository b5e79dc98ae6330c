import { isDropped } from '@portal/contract/billing/life';
import { useAnswer, usePlace, useRefusal } from '@portal/app-kit';
import { OpenButton } from '@portal/app-kit/documents/DocumentList';
import { invoiceDay, invoiceMark, money } from '@portal/app-kit/words/billing-words';
import {
  billing,
  billingSteps,
  invoiceKinds,
  isOfTerm,
  type StaffAccountBilling,
  type StaffInvoice,
} from '@portal/contract/billing/billing';
import { pages } from '@portal/contract/pages';
import { corrections } from '@portal/contract/billing/corrections';
import { reversals } from '@portal/contract/billing/reversals';
import type { AccountSheet } from '@portal/contract/staff/desk';
import { Button, DateText, EmptyState, Link, Sheet, StateMark } from '@portal/ui';
import { useState } from 'react';
import styles from './AccountPage.module.css';
import { invoiceAnchor } from './account-words.ts';
import { BillAgain } from './BillAgain.tsx';
import { CancelInvoice } from './CancelInvoice.tsx';
import { CreditInvoice } from './CreditInvoice.tsx';
import { CreditNotes } from './CreditNotes.tsx';
import { ExtendInvoice } from './ExtendInvoice.tsx';
import { OpenEInvoice } from './OpenEInvoice.tsx';
import { Reactivation } from './Reactivation.tsx';
import { RecordPayment } from './RecordPayment.tsx';
import { RecordRefund } from './RecordRefund.tsx';
import { ReversePayment } from './ReversePayment.tsx';
import { WriteOffInvoice } from './WriteOffInvoice.tsx';

type Act = { kind: 'payment' | 'time' | 'cancel' | 'credit' | 'writeOff'; invoice: StaffInvoice };

/** Invoices shown before all are asked for: each has its payments and acts under it. */
const SHOWN_FIRST = 3;
const isUnpaid = ({ state }: StaffInvoice): boolean => ['unpaid', 'overdue', 'partly-paid'].includes(state);

/** An account's invoices, payments and next billing step; closed accounts keep their invoices. */
export function AccountBilling({ sheet: { account, own } }: { sheet: AccountSheet }) {
  const answer = useAnswer(billing.getStaffBilling, { accountName: account.accountName });
  const [act, setAct] = useState<Act | null>(null);
  const [refunding, setRefunding] = useState(false);
  const { invoices, currency, next, today } = answer;
  const { hash } = usePlace();
  const [isAll, setAll] = useState(false);
  // One that is still owed, or that a link names, is never folded away.
  const shown = invoices.filter(
    (invoice, place) => isAll || place < SHOWN_FIRST || isUnpaid(invoice) || hash === `#${invoiceAnchor(invoice.number)}`,
  );
  const close = () => setAct(null);
  return (
    <>
      <Sheet id="billing" title="Billing" meta={invoices.length > 0 && <span>{invoices.length}</span>}>
        <Next next={next} />
        {answer.feesMissing !== null && (
          <p className={styles.credit}>
            Nothing is billed before the fees for {answer.feesMissing} are announced. <Link href={pages.deskFees.path}>Fees</Link>
          </p>
        )}
        <BillAgain accountName={account.accountName} again={answer.again} dueDays={answer.calendar.dueDays} own={own} />
        <Reactivation accountName={account.accountName} answer={answer} own={own} />
        <Credit answer={answer} own={own} onRefund={() => setRefunding(true)} />
        {invoices.length === 0 ? (
          <EmptyState title="No invoices yet" picture={false} />
        ) : (
          <ul className={styles.lines} aria-label={`Invoices of ${account.accountName}`}>
            {shown.map(invoice => (
              <Line
                key={invoice.number}
                invoice={invoice}
                own={own}
                closed={account.accountStatus === 'closed'}
                reactivating={answer.reactivation?.state === 'open'}
                hasEInvoice={answer.eInvoices.includes(invoice.number)}
                onAct={kind => setAct({ kind, invoice })}
              />
            ))}
          </ul>
        )}
        {(isAll || shown.length < invoices.length) && invoices.length > SHOWN_FIRST && (
          <Button size="s" variant="quiet" aria-expanded={isAll} onClick={() => setAll(!isAll)}>
            {isAll ? 'Show the latest' : `Show all ${invoices.length} invoices`}
          </Button>
        )}
      </Sheet>
      {act?.kind === 'payment' && (
        <RecordPayment invoice={act.invoice} closed={account.accountStatus === 'closed'} today={today} onClose={close} />
      )}
      {act?.kind === 'time' && <ExtendInvoice invoice={act.invoice} today={today} onClose={close} />}
      {act?.kind === 'cancel' && <CancelInvoice invoice={act.invoice} onClose={close} />}
      {act?.kind === 'credit' && <CreditInvoice invoice={act.invoice} left={creditable(act.invoice)} onClose={close} />}
      {act?.kind === 'writeOff' && <WriteOffInvoice invoice={act.invoice} onClose={close} />}
      {refunding && (
        <RecordRefund
          accountName={account.accountName}
          currency={currency}
          credit={answer.credit}
          today={today}
          onClose={() => setRefunding(false)}
        />
      )}
    </>
  );
}

/** Credit of the account, and what of it was paid back. */
function Credit({
  answer: { credit, currency, refunds },
  own,
  onRefund,
}: {
  answer: StaffAccountBilling;
  own: boolean;
  onRefund: () => void;
}) {
  const refusal = useRefusal(corrections.recordRefund);
  return (
    <>
      {credit !== '0.00' && (
        <p className={styles.credit}>
          <span>Account credit: {money(currency, credit)}, used for the next invoice.</span>
          <Button size="s" refusal={refusal ?? notOwnOf(own)} refusalIn="note" onClick={onRefund}>
            Refund
          </Button>
        </p>
      )}
      {refunds.map(({ reference, refundedOn, amount, reason }) => (
        <p key={reference} className="quiet small">
          Refunded {money(currency, amount)} on <Day value={refundedOn} />, <bdi>{reference}</bdi>: <bdi>{reason}</bdi>
        </p>
      ))}
    </>
  );
}

const notOwnOf = (own: boolean) => (own ? { reason: 'You’re a contact of this account. A colleague has to do this.' } : null);

/** Returns what of an invoice no note has credited yet. */
const creditable = ({ total, credited }: StaffInvoice): string => {
  const cents = (amount: string) => Number(amount.replace('.', ''));
  return ((cents(total) - cents(credited)) / 100).toFixed(2);
};

function Next({ next }: Pick<StaffAccountBilling, 'next'>) {
  if (!next) return null;
  return (
    <p className="quiet small">
      Next, on <DateText value={next.day} shape="date" format={invoiceDay} />: {billingSteps[next.step].toLowerCase()}.
    </p>
  );
}

type LineProps = {
  invoice: StaffInvoice;
  own: boolean;
  closed: boolean;
  reactivating: boolean;
  hasEInvoice: boolean;
  onAct: (kind: Act['kind']) => void;
};

function Line(props: LineProps) {
  const { invoice } = props;
  const { number, currency, total, balance, state } = invoice;
  const mark = invoiceMark(invoice);
  const isOver = isDropped(state);
  const isOpen = state !== 'paid' && !isOver;
  return (
    <li id={invoiceAnchor(number)}>
      <span className={styles.document}>
        <span>
          <b>{number}</b> {money(currency, total)} <StateMark state={mark.state}>{mark.words}</StateMark>
        </span>
        <span className="quiet small">
          Issued <Day value={invoice.issuedOn} />, due <Day value={invoice.dueOn} />,{' '}
          {!isOfTerm(invoice) ? (
            invoiceKinds[invoice.kind].toLowerCase()
          ) : (
            <>
              for <Day value={invoice.periodFrom} /> to <Day value={invoice.periodTo} />
            </>
          )}
          .{isOpen && balance !== total && ` ${money(currency, balance)} are missing.`}
          {isOpen && invoice.extendedUntil !== null && (
            <>
              {' '}
              More time until <Day value={invoice.extendedUntil} />.
            </>
          )}
        </span>
        <Payments invoice={invoice} />
        <CreditNotes invoice={invoice} hasEInvoice={props.hasEInvoice} />
        {invoice.cancelReason !== null && (
          <span className="quiet small">
            {state === 'written-off' ? 'Written off' : 'Cancelled'}: <bdi>{invoice.cancelReason}</bdi>
          </span>
        )}
      </span>
      <InvoiceActs {...props} />
    </li>
  );
}

function InvoiceActs({ invoice, own, closed, reactivating, hasEInvoice, onAct }: LineProps) {
  const { number, state, payments } = invoice;
  const isOver = isDropped(state);
  const isOpen = state !== 'paid' && !isOver;
  const refusals = {
    payment: useRefusal(billing.recordPayment),
    time: useRefusal(billing.extendInvoice),
    cancel: useRefusal(billing.cancelInvoice),
    credit: useRefusal(corrections.issueCreditNote),
    writeOff: useRefusal(corrections.writeOffInvoice),
  };
  const notOwn = notOwnOf(own);
  const notClosed = closed && !reactivating ? { reason: 'The account is closed. Reactivate it first.' } : null;
  const notFee =
    invoice.kind === 'transfer'
      ? { reason: 'It ends with its request. Reject the request instead.' }
      : invoice.kind === 'reactivation'
        ? { reason: 'It ends with the reactivation. End that instead.' }
        : null;
  const nothingPaid = payments.length > 0 ? { reason: 'A payment was already recorded for it.' } : null;
  return (
    <span className={styles.acts}>
      <OpenButton check="not-checked" name={number} opens={billing.openStaffInvoice} input={{ invoiceNumber: number }} />
      {hasEInvoice && <OpenEInvoice number={number} />}
      {isOpen && (
        <>
          <Button
            size="s"
            refusal={refusals.payment ?? notOwn}
            refusalIn="note"
            aria-label={`Record a payment for ${number}`}
            onClick={() => onAct('payment')}
          >
            Record a payment
          </Button>
          <Button
            size="s"
            refusal={refusals.time ?? notOwn ?? notClosed ?? notFee}
            refusalIn="note"
            aria-label={`Give more time for ${number}`}
            onClick={() => onAct('time')}
          >
            Give more time
          </Button>
          <Button
            size="s"
            refusal={refusals.cancel ?? notOwn ?? notFee ?? nothingPaid}
            refusalIn="note"
            aria-label={`Cancel ${number}`}
            onClick={() => onAct('cancel')}
          >
            Cancel
          </Button>
        </>
      )}
      {!isOver && (
        <Button
          size="s"
          refusal={refusals.credit ?? notOwn}
          refusalIn="note"
          aria-label={`Issue a credit note for ${number}`}
          onClick={() => onAct('credit')}
        >
          Credit note
        </Button>
      )}
      {isOpen && closed && (
        <Button
          size="s"
          refusal={refusals.writeOff ?? notOwn}
          refusalIn="note"
          aria-label={`Write off ${number}`}
          onClick={() => onAct('writeOff')}
        >
          Write off
        </Button>
      )}
    </span>
  );
}

function Payments({ invoice }: { invoice: StaffInvoice }) {
  const { payments, currency } = invoice;
  const [reversing, setReversing] = useState<StaffInvoice['payments'][number] | null>(null);
  const refusal = useRefusal(reversals.reversePayment);
  const lines = payments.map(payment => (
    <span key={payment.reference + payment.recordedAt} className="quiet small">
      {money(currency, payment.amount)} by {payment.method} on <Day value={payment.receivedOn} />
      {payment.recordedBy !== null && (
        <>
          , <bdi>{payment.reference}</bdi>, recorded by <bdi>{payment.recordedBy}</bdi>
        </>
      )}
      {payment.reversed && (
        <>
          , reversed by {payment.reversed.number} on <Day value={payment.reversed.on} />
        </>
      )}
      .{' '}
      {payment.reversed === null && payment.method !== 'credit' && (
        <Button
          size="s"
          variant="quiet"
          refusal={refusal}
          aria-label={`Reverse ${money(currency, payment.amount)} for ${invoice.number}`}
          onClick={() => setReversing(payment)}
        >
          Reverse
        </Button>
      )}
    </span>
  ));
  return (
    <>
      {lines}
      {reversing && <ReversePayment invoice={invoice} payment={reversing} onClose={() => setReversing(null)} />}
    </>
  );
}

const Day = ({ value }: { value: string }) => <DateText value={value} shape="date" format={invoiceDay} />;
