import { type BookReports as Reports, type ReceivableAge, receivableAges } from '@portal/contract/billing/books';
import { Button, formatCount, groupDigits, KeyValueList, Sheet } from '@portal/ui';
import styles from './Books.module.css';
import { monthAlone, monthName, nextAt, type NumberAsked, rateInWords, shareOf, sumOf } from './book-words.ts';
import { BookNumber } from './BookNumber.tsx';

type Props = { reports: Reports; onAsk: (asked: NumberAsked) => void };

/** Ages whose colour can be written on, and the share of a bar that has room for their words. */
const LABELLED: readonly ReceivableAge[] = ['not-due', 'to-30', 'to-60'];
const ROOM = 0.2;

/** Receivables at the end of a month, by how long they are overdue. */
export function Receivables({ reports: { month, receivables, steps, owed }, currency, onAsk }: Props & { currency: string }) {
  return (
    <Sheet
      title="Receivables by age"
      meta={
        <span>
          {groupDigits(owed)} at the end of {monthName(month)}
        </span>
      }
      actions={
        Number(owed) !== 0 && (
          <Button size="s" variant="quiet" onClick={() => onAsk({ title: 'Receivables: each invoice', query: { age: 'all' } })}>
            Each invoice
          </Button>
        )
      }
    >
      {Number(owed) > 0 && (
        <div className={styles.ages} aria-hidden="true">
          {receivables
            .filter(({ amount }) => Number(amount) > 0)
            .map(({ age, amount }) => (
              <i key={age} data-age={age} style={{ flexGrow: Number(amount) }}>
                {LABELLED.includes(age) && Number(amount) >= Number(owed) * ROOM && receivableAges[age]}
              </i>
            ))}
        </div>
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and so it is reached by the keyboard */}
      <section className={styles.scroll} aria-label="Receivables by age, with what follows" tabIndex={0}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Overdue</th>
              <th scope="col" className="num">
                Invoices
              </th>
              <th scope="col" className="num">
                {currency}
              </th>
              <th scope="col">Next, of a renewal</th>
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
                <td className={styles.next}>{invoices > 0 && nextAt(age, steps)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Sum</th>
              <td className="num">{formatCount(receivables.reduce((all, { invoices }) => all + invoices, 0))}</td>
              <td className={`num ${styles.inner}`}>{groupDigits(owed)}</td>
            </tr>
          </tfoot>
        </table>
      </section>
    </Sheet>
  );
}

/** Fees that are not earned yet at the end of a month, and when they are: the month itself first. */
export function DeferredFees({ reports: { month, deferred } }: { reports: Reports }) {
  const { before, charged, earned, after, ahead } = deferred;
  const columns = [{ month, amount: earned }, ...ahead];
  const most = Math.max(...columns.map(({ amount }) => Number(amount)));
  return (
    <Sheet title="Deferred fees" meta={<span>by the month that earns them</span>}>
      {most > 0 && (
        <>
          <p className={styles.now} aria-hidden="true">
            {groupDigits(earned)} in {monthAlone(month)}
          </p>
          <ul className={styles.columns} aria-label="When deferred fees are earned">
            {columns.map(({ month: each, amount }) => (
              <li key={each} title={`${monthName(each)}: ${groupDigits(amount)}`}>
                <i style={{ blockSize: `${Number(amount) > 0 ? shareOf(amount, most) : 0}%` }} />
                <span aria-hidden="true">{monthName(each, 'short').charAt(0)}</span>
                <span className="vh">
                  {monthName(each)}: {groupDigits(amount)}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      <KeyValueList
        items={[
          { key: `Before ${monthName(month)}`, value: groupDigits(before) },
          { key: 'Charged', value: groupDigits(charged) },
          { key: 'Earned', value: groupDigits(earned) },
          { key: `Left after ${monthAlone(month)}`, value: <b className="strong">{groupDigits(after)}</b> },
        ]}
      />
    </Sheet>
  );
}

/** Its place on the page. */
export const TAX_REPORT = 'tax-report';

/** Tax by its rate. */
export function Tax({ reports: { month, taxName, tax }, onAsk }: Props) {
  if (tax.length === 0) return null;
  return (
    <Sheet
      id={TAX_REPORT}
      tabIndex={-1}
      title={`${taxName} report`}
      meta={<span>charged in {monthName(month)}, less what was credited</span>}
    >
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
