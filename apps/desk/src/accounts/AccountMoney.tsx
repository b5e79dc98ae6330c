import type { AccountPicture } from '@portal/contract/staff/account-pictures';
import { invoiceKinds, isOfTerm } from '@portal/contract/billing/billing';
import { DateText, formatCount, formatMoney, KeyValueList, Link, Sheet, StateMark } from '@portal/ui';
import { daysInWords, invoiceAnchor, invoiceStateOf, medianOf, paymentDays } from './account-words.ts';
import styles from './Picture.module.css';

/** Payments that are drawn, and the days around the due day that the line covers. */
const MAX_PAYMENTS = 24;
const DRAWN_DAYS = 30;
/** Invoices that are listed. */
const LISTED = 5;

type Invoices = NonNullable<AccountPicture['invoices']>;

/** How an account pays: each payment around the day on which it was due, sums, and the last invoices. */
export function AccountMoney({ invoices, today }: { invoices: Invoices; today: string }) {
  if (invoices.length === 0) return null;
  const days = paymentDays(invoices);
  const median = medianOf(days);
  const sums = [...Map.groupBy(invoices, ({ currency }) => currency)].map(([currency, of]) => ({
    currency,
    paid: of.filter(({ paidOn }) => paidOn !== null).reduce((sum, { total }) => sum + Number(total), 0),
    owed: of.reduce((sum, { owed }) => sum + Number(owed), 0),
  }));
  const late = days.filter(each => each > 0).length;
  return (
    <Sheet
      flush
      title="Money"
      meta={<span>{sums.map(({ currency }) => currency).join(', ')}</span>}
      actions={<Link href="#billing">All invoices and payments</Link>}
    >
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
        <KeyValueList
          items={[
            ...sums.flatMap(({ currency, paid, owed }) => [
              { key: 'Owed now', value: formatMoney(currency, owed.toFixed(2)), id: `owed ${currency}` },
              { key: 'Paid in ten years', value: formatMoney(currency, paid.toFixed(2)), id: `paid ${currency}` },
            ]),
            { key: 'Paid late', value: `${formatCount(late)} of ${formatCount(days.length)}` },
          ]}
        />
      </div>
      <LastInvoices invoices={invoices} today={today} />
    </Sheet>
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
          <th scope="col">Invoice</th>
          <th scope="col">For</th>
          <th scope="col">Issued</th>
          <th scope="col">Due</th>
          <th scope="col">State</th>
          <th scope="col" className={styles.sum}>
            Total
          </th>
        </tr>
      </thead>
      <tbody>
        {last.map(invoice => {
          const { number, kind, periodTo, issuedOn, dueOn, currency, total } = invoice;
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
              <td data-label="Issued">
                <DateText value={issuedOn} shape="date" />
              </td>
              <td data-label="Due">
                <DateText value={dueOn} shape="date" />
              </td>
              <td data-label="State">
                <StateMark plain state={state}>
                  {words}
                </StateMark>
              </td>
              <td className={styles.sum} data-label="Total">
                {formatMoney(currency, total)}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
