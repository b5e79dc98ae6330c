import { useAccount, useRead } from '@portal/app-kit';
import { invoiceDay, money } from '@portal/app-kit/words/billing-words';
import type { AccountBilling, Invoice } from '@portal/contract/billing/billing';
import { daysAfter, daysBetween } from '@portal/contract/days';
import { pages } from '@portal/contract/pages';
import { DateText, Link, LinkButton, Sheet, Stat, StateMark } from '@portal/ui';
import { renewalOf } from './AdvanceRenewal.tsx';
import styles from './BillingPage.module.css';
import { PayOnline } from './PayOnline.tsx';
import { sumsPerTerm, TermSums } from './TermSums.tsx';

const Day = ({ value }: { value: string }) => <DateText value={value} shape="date" format={invoiceDay} />;

/** The amount that is due next, at the head of the page: of the open invoice that is due first, with its days and the way to pay it. */
export function OpenAmount({ answer: { today, payOnline }, open }: { answer: AccountBilling; open: readonly Invoice[] }) {
  const { asStaff } = useAccount();
  const [first] = open.toSorted((a, b) => a.dueOn.localeCompare(b.dueOn));
  if (!first) return null;
  const { number, balance, currency, dueOn } = first;
  const days = daysBetween(today, dueOn);
  const words = days < 0 ? `Overdue for ${inDays(-days)}` : days === 0 ? 'Due today' : `Due in ${inDays(days)}`;
  return (
    <Sheet aria-label="Next payment">
      <div className={styles.next}>
        <Stat value={money(currency, balance)} unit={`for ${number}, tax included`} />
        <StateMark state={days < 0 ? 'invalid' : 'warning'}>{words}</StateMark>
        <span className="small muted">
          {days < 0 ? 'It was due' : 'Due'} on <Day value={dueOn} />
          {open.length > 1 && `, and ${open.length - 1} more to pay`}
        </span>
        <span className={styles.pay}>
          {payOnline !== null && !asStaff ? (
            <PayOnline number={number} provider={payOnline} />
          ) : (
            <LinkButton href="#how-to-pay" variant="primary">
              How to pay
            </LinkButton>
          )}
        </span>
      </div>
    </Sheet>
  );
}

const inDays = (days: number): string => `${days} ${days === 1 ? 'day' : 'days'}`;

/** The estimate of the coming renewal, at the head of the page while nothing is to pay. */
export function ComingAmount({ answer: { today, calendar } }: { answer: AccountBilling }) {
  const { estimate, termEnd } = useRead(renewalOf(useAccount().accountName));
  if (estimate === null || termEnd === null) return null;
  const issued = daysAfter(termEnd, calendar.invoiceDays);
  return (
    <Sheet aria-label="Next amount">
      <div className={styles.next}>
        <Stat value={money(estimate.currency, estimate.total)} unit="next renewal, tax included" />
        <span className="small muted">
          Based on today’s holdings. The invoice comes on <Day value={issued} />
          {issued > today && `, in ${inDays(daysBetween(today, issued))}`}, and is due on{' '}
          <Day value={daysAfter(termEnd, calendar.dueDays)} />.
        </span>
        <span className={styles.pay}>
          <Link href={pages.annualFeeCalculator.path}>How it is calculated</Link>
        </span>
      </div>
    </Sheet>
  );
}

/** The charges by term with the estimate of the coming one. */
export function TermSumsAhead({ invoices }: { invoices: readonly Invoice[] }) {
  const { estimate, termEnd } = useRead(renewalOf(useAccount().accountName));
  const next =
    estimate && termEnd !== null
      ? { from: daysAfter(termEnd, 1).slice(0, 4), term: String(Number(termEnd.slice(0, 4)) + 1), total: Number(estimate.total) }
      : null;
  return <TermSums terms={sumsPerTerm(invoices)} next={next} />;
}
