/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a drawing with numbers in words: no element of HTML is one */
import { isDropped } from '@portal/contract/billing/life';
import { money } from '@portal/app-kit/words/billing-words';
import type { Invoice } from '@portal/contract/billing/billing';
import { shortCount } from '@portal/contract/short-count';
import { formatCount, Sheet } from '@portal/ui';
import styles from './TermSums.module.css';

/** Maximum number of terms drawn. */
const MAX = 6;
const size = { width: 268, height: 132, bottom: 22, top: 20 } as const;

/**
 * The amounts of a term, known by the year in which it ends. `from`: the year in which it begins, where a renewal tells it. `open` is what is still to pay of
 * `charged`.
 */
type TermSum = { term: string; from: string | null; charged: number; open: number; currency: string };

/** The name of a term: `2026`, or `2026/27` for one of two years. */
const nameOf = ({ term, from }: Pick<TermSum, 'term' | 'from'>): string =>
  from === null || from === term ? term : `${from}/${term.slice(2)}`;

/** The same in a chart of so many bars: from six on they are too narrow for four digits and two. */
const labelOf = (sum: Pick<TermSum, 'term' | 'from'>, bars: number): string =>
  bars < 6 ? nameOf(sum) : nameOf(sum).replace(/^\d\d(?=\d\d\/)/, '');

const rounded = (amount: number): number => Math.round(amount * 100) / 100;

/**
 * Returns for each of the latest terms its charges, less what was credited, and how much of them is still to pay. Fees that are no renewal belong to the year in which they were
 * issued. Cancelled invoices aren’t charged.
 */
export function sumsPerTerm(invoices: readonly Invoice[]): TermSum[] {
  const terms = new Map<string, TermSum>();
  for (const { kind, periodFrom, periodTo, issuedOn, total, credited, balance, state, currency } of invoices) {
    if (isDropped(state)) continue;
    const term = (kind === 'renewal' ? periodTo : issuedOn).slice(0, 4);
    const sum = terms.get(term) ?? { term, from: null, charged: 0, open: 0, currency };
    if (kind === 'renewal') sum.from = periodFrom.slice(0, 4);
    sum.charged = rounded(sum.charged + Number(total) - Number(credited));
    sum.open = rounded(sum.open + Number(balance));
    terms.set(term, sum);
  }
  return [...terms.values()].sort((a, b) => a.term.localeCompare(b.term)).slice(-MAX);
}

/** Whole amounts, as the page writes them beside the chart; only what doesn’t fit is shortened. */
const short = (amount: number): string => (amount >= 100_000 ? shortCount(BigInt(Math.round(amount))) : formatCount(Math.round(amount)));

/**
 * A small chart of the charges of each term, and of the coming one.
 * @param next the estimate of the coming term; null where there is none, or its invoice is among the others
 */
export function TermSums({ terms, next }: { terms: readonly TermSum[]; next: { term: string; from: string; total: number } | null }) {
  const bars = [
    ...terms,
    ...(next && !terms.some(({ term }) => term === next.term)
      ? [{ term: next.term, from: next.from, charged: next.total, open: 0, isNext: true }]
      : []),
  ];
  const most = Math.max(1, ...bars.map(({ charged }) => charged));
  const wide = size.width / bars.length;
  const bar = Math.min(34, wide - 10);
  const floor = size.height - size.bottom;
  const tallOf = (amount: number): number => (Math.max(0, amount) / most) * (floor - size.top);
  const said = terms
    .map(
      ({ term, from, charged, open, currency }) =>
        `Term ${nameOf({ term, from })}: ${money(currency, charged.toFixed(2))}${open > 0 ? `, of which ${money(currency, open.toFixed(2))} to pay` : ', paid'}`,
    )
    .join('. ');
  const hasOpen = terms.some(({ open }) => open > 0);
  return (
    <Sheet title="Charged per term" meta={<span>tax included</span>}>
      <svg className={styles.chart} viewBox={`0 0 ${size.width} ${size.height}`} role="img" aria-label={`${said}.`}>
        {bars.map(each => {
          const { term, charged, open } = each;
          const x = bars.indexOf(each) * wide + (wide - bar) / 2;
          const isNext = 'isNext' in each;
          return (
            <g key={term}>
              <rect className={isNext ? styles.next : undefined} x={x} y={floor - tallOf(charged)} width={bar} height={tallOf(charged)} />
              {open > 0 && <rect className={styles.open} x={x} y={floor - tallOf(charged)} width={bar} height={tallOf(open)} />}
              <text x={x + bar / 2} y={floor - tallOf(charged) - 6} textAnchor="middle" className={styles.amount}>
                {short(charged)}
              </text>
              <text x={x + bar / 2} y={size.height - 6} textAnchor="middle">
                {labelOf(each, bars.length)}
              </text>
            </g>
          );
        })}
        <path className={styles.base} d={`M0 ${floor}H${size.width}`} />
      </svg>
      <p className={styles.key} aria-hidden="true">
        <span>Paid</span>
        {hasOpen && <span className={styles.openKey}>To pay</span>}
        {bars.length > terms.length && <span className={styles.nextKey}>Estimate</span>}
      </p>
    </Sheet>
  );
}
