import { useAnswer } from '@portal/app-kit';
import { invoiceDay, money } from '@portal/app-kit/words/billing-words';
import { bankStatements } from '@portal/contract/billing/bank-statements';
import { pages } from '@portal/contract/pages';
import { DateText, Link, Sheet, StateMark } from '@portal/ui';
import styles from './PaymentsPage.module.css';

const Day = ({ value }: { value: string }) => <DateText value={value} shape="date" format={invoiceDay} />;

/** Accounts that transfers keep open which aren't matched, and what to do before they no longer do; nothing where there is none. */
export function KeptOpen() {
  const { rows } = useAnswer(bankStatements.listKeptOpen, {});
  const [next] = rows;
  if (!next) return null;
  return (
    <Sheet title="Kept open by a transfer" meta={<span>{rows.length}</span>}>
      <p className={`${styles.until} small`}>
        Match each transfer or set it aside, the first by <Day value={next.until} />. After its day it keeps the account open no longer.
      </p>
      <ul className={styles.waiting} aria-label="Accounts kept open by a transfer">
        {rows.map(({ accountName, orgName, step, invoiceNumber, bookedOn, currency, amount, payer, until }) => (
          <li key={accountName}>
            <div className={styles.what}>
              <span>
                <Link href={`/desk/accounts/${encodeURIComponent(accountName)}`}>{accountName}</Link>{' '}
                <span className="quiet">{orgName}</span>
              </span>
              <span className="small">
                <Link href={`${pages.deskPayments.path}?${new URLSearchParams({ q: amount })}`}>
                  {money(currency, amount)} <bdi>{payer}</bdi>
                </Link>
                <span className="quiet">
                  {' '}
                  of <Day value={bookedOn} />, may pay {invoiceNumber}
                </span>
              </span>
            </div>
            <StateMark state="pending">
              {step === 'closing' ? 'Not closed' : 'Not suspended'} until <Day value={until} />
            </StateMark>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}
