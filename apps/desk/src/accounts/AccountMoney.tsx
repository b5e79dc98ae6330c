import type { AccountPicture } from '@portal/contract/staff/account-pictures';
import { invoiceKinds, isOfTerm } from '@portal/contract/billing/billing';
import { DateText, formatMoney, KeyValueList, Link, Sheet, StateMark } from '@portal/ui';
import { daysInWords, invoiceAnchor, invoiceStateOf, medianOf, paymentDays } from './account-words.ts';
import styles from './Picture.module.css';

/** Payments that are drawn, and the days around the due day that the line covers. */
const MAX_PAYMENTS = 24;
const DRAWN_DAYS = 30;
/** Invoices that are listed. */
const LISTED = 5;

type Invoices = NonNullable<AccountPicture['invoices']>;

type Money = AccountPicture['money'];

/** How an account pays: each payment around the day on which it was due, sums, and the last invoices. @param money null where it couldn’t be loaded */
export function AccountMoney({ invoices, money, today }: { invoices: Invoices; money: Money; today: string }) {
  const days = paymentDays(invoices);
  const median = medianOf(days);
  const currencies = [...new Set([...invoices.map(({ currency }) => currency), ...(money ? [money.credit.currency] : [])])];
  const late = days.filter(each => each > 0).length;
  return (
    <Sheet flush title="Money" meta={<span>{currencies.join(', ')}</span>} actions={<Link href="#billing">All invoices and payments</Link>}>
      <div className={styles.money}>
        {median !== null && (
          <div>
            <div
              className={styles.habit}
              // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- it is drawn of elements, not loaded
              role="img"
              aria-label={`${days.length} payments, ${daysInWords(median)} in the median, ${late} of them late`}
            >
              {days.slice(-MAX_PAYMENTS).map((each, place) => (
                <i
                  // oxlint-disable-next-line react/no-array-index-key -- payments of an order that stays
                  key={place}
                  data-late={each > 0 || undefined}
                  style={{ insetInlineStart: `${(Math.min(1, Math.max(-1, each / DRAWN_DAYS)) + 1) * 50}%` }}
                />
              ))}
              <b />
              <small>{DRAWN_DAYS} days early</small>
              <small>due</small>
              <small>{DRAWN_DAYS} late</small>
            </div>
            <p className="small">Pays {daysInWords(median)} in the median.</p>
          </div>
        )}
        {money && <Sums money={money} />}
      </div>
      {invoices.length === 0 ? (
        <p className={`quiet small ${styles.none}`}>No invoices yet. They appear here once they are issued.</p>
      ) : (
        <LastInvoices invoices={invoices} today={today} />
      )}
    </Sheet>
  );
}

/** The fee of the next term by what it holds today, what came in since it joined, and its credit. */
function Sums({ money: { fee, paid, credit } }: { money: NonNullable<Money> }) {
  return (
    <div>
      <KeyValueList
        items={[
          ...(fee
            ? [
                {
                  id: 'fee',
                  key: (
                    <>
                      Fee from <DateText value={fee.begins} shape="date" />
                    </>
                  ),
                  value: formatMoney(fee.currency, fee.amount),
                },
              ]
            : []),
          ...(paid.length === 0 ? [{ currency: credit.currency, amount: '0.00' }] : paid).map(({ currency, amount }) => ({
            key: 'Paid since joining',
            value: formatMoney(currency, amount),
            id: `paid ${currency}`,
          })),
          { key: 'Credit', value: formatMoney(credit.currency, credit.amount) },
        ]}
      />
      {fee && (
        <p className="quiet small">
          The fee is before tax, {fee.projected ? 'by projected fees' : 'by announced fees'} and what it holds today.
        </p>
      )}
    </div>
  );
}

/** The last invoices, each with the way to its line below, where it is opened and paid. */
function LastInvoices({ invoices, today }: { invoices: Invoices; today: string }) {
  const last = invoices.toSorted((one, other) => (one.issuedOn < other.issuedOn ? 1 : -1)).slice(0, LISTED);
  return (
    <table className={styles.resources}>
      <caption className="vh">Last invoices</caption>
      <thead>
        <tr>
          <th scope="col">Document</th>
          <th scope="col">For</th>
          <th scope="col">Due</th>
          <th scope="col">State</th>
          <th scope="col" className={styles.sum}>
            Amount
          </th>
        </tr>
      </thead>
      <tbody>
        {last.map(invoice => {
          const { number, kind, periodTo, dueOn, currency, total } = invoice;
          const { state, words } = invoiceStateOf(invoice, today);
          return (
            <tr key={number}>
              <th scope="row">
                <Link href={`#${invoiceAnchor(number)}`}>{number}</Link>
              </th>
              <td data-label="For">
                {invoiceKinds[kind]}
                {isOfTerm({ kind }) && (
                  <>
                    {' until '}
                    <DateText value={periodTo} shape="date" />
                  </>
                )}
              </td>
              <td data-label="Due">
                <DateText value={dueOn} shape="date" />
              </td>
              <td data-label="State">
                <StateMark plain state={state}>
                  {words}
                </StateMark>
              </td>
              <td className={styles.sum} data-label="Amount">
                {formatMoney(currency, total)}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
