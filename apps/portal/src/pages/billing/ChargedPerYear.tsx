/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a drawing with numbers in words: no element of HTML is one */
import { money } from '@portal/app-kit/words/billing-words';
import type { Invoice } from '@portal/contract/billing/billing';
import { Sheet } from '@portal/ui';
import styles from './ChargedPerYear.module.css';

/** The most years that are drawn. */
const MOST = 6;
const size = { width: 268, height: 132, bottom: 22, top: 20 } as const;

type YearCharged = { year: string; charged: number; currency: string };

/** Returns the sum of the invoices of each of the latest years; cancelled invoices don’t count. */
export function chargedPerYear(invoices: readonly Invoice[]): YearCharged[] {
  const years = new Map<string, YearCharged>();
  for (const { issuedOn, total, state, currency } of invoices) {
    if (state === 'cancelled') continue;
    const year = issuedOn.slice(0, 4);
    const sum = years.get(year) ?? { year, charged: 0, currency };
    sum.charged += Math.round(Number(total) * 100) / 100;
    years.set(year, sum);
  }
  return [...years.values()].sort((a, b) => a.year.localeCompare(b.year)).slice(-MOST);
}

const short = (amount: number): string =>
  amount >= 1000 ? `${(amount / 1000).toLocaleString('en', { maximumFractionDigits: 1 })}K` : amount.toFixed(0);

/** A small chart of what was charged each year. */
export function ChargedPerYear({ years }: { years: readonly YearCharged[] }) {
  const most = Math.max(...years.map(({ charged }) => charged));
  const wide = size.width / years.length;
  const bar = Math.min(36, wide - 12);
  const said = years.map(({ year, charged, currency }) => `${year}: ${money(currency, charged.toFixed(2))}`).join('. ');
  return (
    <Sheet title="Charged per year">
      <svg className={styles.chart} viewBox={`0 0 ${size.width} ${size.height}`} role="img" aria-label={`${said}.`}>
        <path className={styles.base} d={`M0 ${size.height - size.bottom}H${size.width}`} />
        {years.map(({ year, charged }, place) => {
          const tall = (charged / most) * (size.height - size.bottom - size.top);
          const x = place * wide + (wide - bar) / 2;
          return (
            <g key={year} className={place === years.length - 1 ? styles.last : undefined}>
              <rect x={x} y={size.height - size.bottom - tall} width={bar} height={tall} />
              <text x={x + bar / 2} y={size.height - size.bottom - tall - 6} textAnchor="middle" className={styles.amount}>
                {short(charged)}
              </text>
              <text x={x + bar / 2} y={size.height - 6} textAnchor="middle">
                {year}
              </text>
            </g>
          );
        })}
      </svg>
    </Sheet>
  );
}
