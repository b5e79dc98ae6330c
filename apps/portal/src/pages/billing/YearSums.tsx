/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a drawing with numbers in words: no element of HTML is one */
import { money } from '@portal/app-kit/words/billing-words';
import type { Invoice } from '@portal/contract/billing/billing';
import { Sheet } from '@portal/ui';
import styles from './YearSums.module.css';

/** Maximum number of years drawn. */
const MAX = 6;
const size = { width: 268, height: 132, bottom: 22, top: 20 } as const;

type YearSum = { year: string; charged: number; paid: number; currency: string };

const rounded = (amount: number): number => Math.round(amount * 100) / 100;

/**
 * Returns for each of the latest years the invoices issued in it, less what was credited, and the money received in it. Cancelled invoices aren’t charged, and credit that an invoice
 * used was received before.
 */
export function sumsPerYear(invoices: readonly Invoice[]): YearSum[] {
  const years = new Map<string, YearSum>();
  const yearOf = (day: string, currency: string): YearSum => {
    const year = day.slice(0, 4);
    const sum = years.get(year) ?? { year, charged: 0, paid: 0, currency };
    years.set(year, sum);
    return sum;
  };
  for (const { issuedOn, total, credited, state, currency, payments } of invoices) {
    if (state !== 'cancelled') {
      const sum = yearOf(issuedOn, currency);
      sum.charged = rounded(sum.charged + Number(total) - Number(credited));
    }
    for (const { method, amount, receivedOn } of payments) {
      if (method === 'credit') continue;
      const sum = yearOf(receivedOn, currency);
      sum.paid = rounded(sum.paid + Number(amount));
    }
  }
  return [...years.values()].sort((a, b) => a.year.localeCompare(b.year)).slice(-MAX);
}

const short = (amount: number): string =>
  amount >= 1000 ? `${(amount / 1000).toLocaleString('en', { maximumFractionDigits: 1 })}K` : amount.toFixed(0);

/** A small chart of what was charged and what was paid each year. */
export function YearSums({ years }: { years: readonly YearSum[] }) {
  const most = Math.max(1, ...years.flatMap(({ charged, paid }) => [charged, paid]));
  const wide = size.width / years.length;
  const bar = Math.min(18, (wide - 10) / 2);
  const floor = size.height - size.bottom;
  const tallOf = (amount: number): number => (amount / most) * (floor - size.top);
  const said = years
    .map(
      ({ year, charged, paid, currency }) =>
        `${year}: ${money(currency, charged.toFixed(2))} charged, ${money(currency, paid.toFixed(2))} paid`,
    )
    .join('. ');
  return (
    <Sheet title="Charged and paid per year">
      <svg className={styles.chart} viewBox={`0 0 ${size.width} ${size.height}`} role="img" aria-label={`${said}.`}>
        <path className={styles.base} d={`M0 ${floor}H${size.width}`} />
        {years.map(({ year, charged, paid }, place) => {
          const middle = place * wide + wide / 2;
          return (
            <g key={year}>
              <rect x={middle - bar} y={floor - tallOf(charged)} width={bar - 1} height={tallOf(charged)} />
              <rect className={styles.paid} x={middle + 1} y={floor - tallOf(paid)} width={bar - 1} height={tallOf(paid)} />
              <text x={middle} y={floor - tallOf(Math.max(charged, paid)) - 6} textAnchor="middle" className={styles.amount}>
                {short(paid)}
              </text>
              <text x={middle} y={size.height - 6} textAnchor="middle">
                {year}
              </text>
            </g>
          );
        })}
      </svg>
      <p className={styles.key} aria-hidden="true">
        <span>Charged</span>
        <span className={styles.paidKey}>Paid, as a number above</span>
      </p>
    </Sheet>
  );
}
