import { type BookMonthSheet, type LedgerAccount, ledgerAccountNames } from '@portal/contract/billing/books';
import { groupDigits } from '@portal/ui';
import { BookNumber } from './BookNumber.tsx';
import styles from './Books.module.css';
import { edgesOf, type NumberAsked, shareOf, sumOf } from './book-words.ts';

/** A month by account of the ledger: its codes, what it had before, what moved in it and what it has at the end. */
export function JournalTable({
  sheet: { month, accounts },
  today,
  onAsk,
}: {
  sheet: BookMonthSheet;
  today: string;
  onAsk: (asked: NumberAsked) => void;
}) {
  const sum = (of: 'before' | 'debit' | 'credit' | 'after'): string => groupDigits(sumOf(accounts.map(each => each[of])));
  const most = Math.max(...accounts.flatMap(({ debit, credit }) => [Math.abs(Number(debit)), Math.abs(Number(credit))]));
  const { first, last } = edgesOf(month, today);
  const movement = (account: LedgerAccount, side: 'debit' | 'credit', value: string) =>
    value !== '0.00' && (
      <BookNumber
        amount={value}
        of={`${ledgerAccountNames[account]}, ${side}`}
        onOpen={() => onAsk({ title: `${ledgerAccountNames[account]}: ${side}`, query: { account, side } })}
      />
    );
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and so it is reached by the keyboard
    <section className={styles.scroll} aria-label="Accounts of the ledger" tabIndex={0}>
      <table className={styles.table} data-bars="">
        <thead>
          <tr>
            <th scope="col">Code</th>
            <th scope="col">Account</th>
            <th scope="col" className="num">
              Before {first}
            </th>
            <th scope="col" className="num">
              Debit
            </th>
            <th scope="col" className="num">
              Credit
            </th>
            <th scope="col">
              <span className="vh">Debit and credit as bars</span>
            </th>
            <th scope="col" className="num">
              On {last}
            </th>
          </tr>
        </thead>
        <tbody>
          {accounts.map(({ account, codes, before, debit, credit, after }) => (
            <tr key={account}>
              <td className={styles.codes}>{codes.join(' ')}</td>
              <th scope="row">{ledgerAccountNames[account]}</th>
              <td className="num">{groupDigits(before)}</td>
              <td className="num">{movement(account, 'debit', debit)}</td>
              <td className="num">{movement(account, 'credit', credit)}</td>
              <td>
                <span className={styles.bars} aria-hidden="true">
                  {debit !== '0.00' && <i style={{ inlineSize: `${shareOf(debit, most)}%` }} />}
                  {credit !== '0.00' && <i data-credit="" style={{ inlineSize: `${shareOf(credit, most)}%` }} />}
                </span>
              </td>
              <td className="num">
                <b className="strong">{groupDigits(after)}</b>
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={2}>
              Sum
            </th>
            <td className="num">{sum('before')}</td>
            <td className="num">{sum('debit')}</td>
            <td className="num">{sum('credit')}</td>
            <td className="num" colSpan={2}>
              {sum('after')}
            </td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
}
