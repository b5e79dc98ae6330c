import { type BookReports as Reports, receivableAges } from '@portal/contract/billing/books';
import { formatCount, groupDigits, KeyValueList, Sheet } from '@portal/ui';
import styles from './Books.module.css';
import { monthName, type NumberAsked, rateInWords, sumOf } from './book-words.ts';
import { BookNumber } from './BookNumber.tsx';

type Props = { reports: Reports; onAsk: (asked: NumberAsked) => void };

/** Receivables at the end of a month, by how long they are overdue. */
export function Receivables({ reports: { month, receivables, owed }, onAsk }: Props) {
  return (
    <Sheet title="Receivables by age" meta={<span>at the end of {monthName(month)}</span>}>
      {Number(owed) > 0 && (
        <div className={styles.ages} aria-hidden="true">
          {receivables
            .filter(({ amount }) => Number(amount) > 0)
            .map(({ age, amount }) => (
              <i key={age} data-age={age} style={{ flexGrow: Number(amount) }} />
            ))}
        </div>
      )}
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Overdue</th>
            <th scope="col" className="num">
              Invoices
            </th>
            <th scope="col" className="num">
              Owed
            </th>
          </tr>
        </thead>
        <tbody>
          {receivables.map(({ age, invoices, amount }) => (
            <tr key={age}>
              <th scope="row">
                <i className={styles.swatch} data-age={age} aria-hidden="true" />
                {receivableAges[age]}
              </th>
              <td className="num">{formatCount(invoices)}</td>
              <td className="num">
                <BookNumber
                  amount={amount}
                  of={`${receivableAges[age]}, ${monthName(month)}`}
                  onOpen={() => onAsk({ title: `Receivables: ${receivableAges[age].toLowerCase()}`, query: { age } })}
                />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Sum</th>
            <td className="num">{formatCount(receivables.reduce((all, { invoices }) => all + invoices, 0))}</td>
            <td className="num">{groupDigits(owed)}</td>
          </tr>
        </tfoot>
      </table>
    </Sheet>
  );
}

/** Fees that are not earned yet at the end of a month, and when they are. */
export function DeferredFees({ reports: { month, deferred } }: { reports: Reports }) {
  const { before, charged, earned, after, ahead } = deferred;
  const most = Math.max(1, ...ahead.map(({ amount }) => Number(amount)));
  return (
    <Sheet title="Deferred fees" meta={<span>earned day by day over each term</span>}>
      <KeyValueList
        items={[
          { key: `Before ${monthName(month)}`, value: groupDigits(before) },
          { key: 'Charged', value: groupDigits(charged) },
          { key: 'Earned', value: groupDigits(earned) },
          { key: `After ${monthName(month)}`, value: <b className="strong">{groupDigits(after)}</b> },
        ]}
      />
      {ahead.length > 0 && (
        <ul className={styles.ahead} aria-label="When the rest is earned">
          {ahead.map(({ month: each, amount }) => (
            <li key={each}>
              <span>{monthName(each)}</span>
              <i style={{ inlineSize: `${String((Math.max(0, Number(amount)) / most) * 100)}%` }} />
              <span className="num">{groupDigits(amount)}</span>
            </li>
          ))}
        </ul>
      )}
    </Sheet>
  );
}

/** Tax by its rate. */
export function Tax({ reports: { month, taxName, tax }, onAsk }: Props) {
  if (tax.length === 0) return null;
  return (
    <Sheet title={`${taxName} report`} meta={<span>charged in {monthName(month)}, less what was credited</span>}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Rate</th>
            <th scope="col" className="num">
              Net
            </th>
            <th scope="col" className="num">
              {taxName}
            </th>
          </tr>
        </thead>
        <tbody>
          {tax.map(({ rate, net, tax: of }) => (
            <tr key={rate ?? 'none'}>
              <th scope="row">{rateInWords(rate)}</th>
              <td className="num">{groupDigits(net)}</td>
              <td className="num">
                <BookNumber
                  amount={of}
                  of={`${taxName}, ${rateInWords(rate)}`}
                  onOpen={() => onAsk({ title: `${taxName}: ${rateInWords(rate)}`, query: { rate: rate ?? 'none' } })}
                />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Sum</th>
            <td className="num">{groupDigits(sumOf(tax.map(({ net }) => net)))}</td>
            <td className="num">{groupDigits(sumOf(tax.map(({ tax: of }) => of)))}</td>
          </tr>
        </tfoot>
      </table>
    </Sheet>
  );
}
