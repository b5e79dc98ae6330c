import type { FeeEffect } from '@portal/contract/billing/fee-schedules';
import { formatCount } from '@portal/ui';
import styles from './Fees.module.css';
import { percentBetween, percentWords } from './fee-words.ts';

/** Accounts by size, with how much those of a size pay more or less together: the picture of narrow windows. */
export function SizeList({ effect: { sizes } }: { effect: FeeEffect }) {
  const most = Math.max(1, ...sizes.map(({ accounts }) => accounts));
  return (
    <table className={styles.sizes}>
      <caption className="vh">Accounts by size</caption>
      <thead>
        <tr>
          <th scope="col">Size</th>
          <th scope="col">Accounts</th>
          <th scope="col" className="num">
            Change
          </th>
        </tr>
      </thead>
      <tbody>
        {sizes.map(({ length, accounts, before, after }) => {
          const percent = percentBetween(before, after);
          return (
            <tr key={length}>
              <th scope="row">{sizeWords(length)}</th>
              <td>
                <span className={styles.bar}>
                  <span data-rises={(percent ?? 0) > 0 || undefined} style={{ inlineSize: `${(accounts / most) * 80}%` }} />
                  {formatCount(accounts)}
                </span>
              </td>
              <td className="num">{percent === null ? 'new' : percentWords(percent)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

export const sizeWords = (length: number | null): string => (length === null ? 'None' : `/${length}`);
