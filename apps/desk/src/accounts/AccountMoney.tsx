import type { AccountPicture } from '@portal/contract/staff/account-pictures';
import { formatCount, formatMoney, KeyValueList, Link, Sheet } from '@portal/ui';
import { daysInWords, medianOf, paymentDays } from './account-words.ts';
import styles from './Picture.module.css';

/** Payments that are drawn, and the days around the due day that the line covers. */
const MAX_PAYMENTS = 24;
const DRAWN_DAYS = 30;

/** How an account pays: each payment around the day on which it was due, and sums. */
export function AccountMoney({ invoices }: { invoices: NonNullable<AccountPicture['invoices']> }) {
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
      title="Money"
      meta={<span>{sums.map(({ currency }) => currency).join(', ')}</span>}
      actions={<Link href="#billing">Invoices</Link>}
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
    </Sheet>
  );
}
