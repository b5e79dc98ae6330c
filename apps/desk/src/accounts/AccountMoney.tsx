import type { AccountPicture } from '@portal/contract/staff/account-pictures';
import { DateText, formatMoney, KeyValueList, Sheet } from '@portal/ui';
import { daysInWords, medianOf, paymentDays } from './account-words.ts';
import styles from './Picture.module.css';

/** Payments that are drawn, and the days around the due day that the line covers. */
const MAX_PAYMENTS = 24;
const DRAWN_DAYS = 30;

type Invoices = NonNullable<AccountPicture['invoices']>;

type Money = AccountPicture['money'];

/** How an account pays: each payment around the day on which it was due, and sums. @param money null where it couldn’t be loaded */
export function AccountMoney({ invoices, money }: { invoices: Invoices; money: Money }) {
  const days = paymentDays(invoices);
  const median = medianOf(days);
  const currencies = [...new Set([...invoices.map(({ currency }) => currency), ...(money ? [money.credit.currency] : [])])];
  const late = days.filter(each => each > 0).length;
  return (
    <Sheet flush title="Money" meta={<span>{currencies.join(', ')}</span>}>
      <div className={styles.money}>
        {median !== null && (
          <div>
            <div
              className={styles.habit}
              // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- it is drawn of elements, not loaded
              role="img"
              aria-label={`${days.length} payments, usually ${daysInWords(median)}, ${late} of them late`}
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
            <p className="small">Usually pays {daysInWords(median)}.</p>
          </div>
        )}
        {money && <Sums money={money} />}
      </div>
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
