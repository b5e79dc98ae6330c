import { money } from '@portal/app-kit/words/billing-words';
import type { FeeEstimate, FeeEstimates } from '@portal/contract/billing/fee-estimates';
import { classNames, formatCount, KindMark, Sheet } from '@portal/ui';
import styles from './FeeCalculatorPage.module.css';

type Step = FeeEstimate['lines'][number]['step'];
const offsets = { ipv4: 8, ipv6: 22 } as const;
const names = { ipv4: 'IPv4', ipv6: 'IPv6' } as const;
const amountOf = (amount: string): string => money('', amount).trim().replace('-', '−');
/** At most four places, as the formula is usually written. */
const short = (value: number): string => String(Math.round(value * 10_000) / 10_000);
const plain = (decimal: string): string => decimal.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '');

/** Returns the description of a step, with the numbers that went into it. */
function stepWords({ step, quantity, unit }: FeeEstimate['lines'][number], { schedule }: FeeEstimate): { words: string; formula?: string } {
  const words: Record<Step, { words: string; formula?: string }> = {
    addresses: { words: 'The greater fee is charged, not the sum' },
    associate: { words: 'No addresses: the fee of an associate' },
    nir: { words: 'National registry', formula: `fee × ${plain(schedule.nirMultiplier)} − fee` },
    ldc: { words: 'Least developed country', formula: `fee × ${plain(schedule.ldcShare)} − fee` },
    asns: {
      words: `${quantity === 1 ? '1 AS number' : `${formatCount(quantity)} AS numbers`} beyond ${schedule.freeAsns} free ones`,
      formula: `${formatCount(quantity)} × ${amountOf(unit)}`,
    },
    'sign-up': { words: 'Sign-up fee, once' },
  };
  return words[step];
}

/** How the fee is calculated: each step of the formula with its numbers, down to the total. */
export function FeeSteps({ answer: { estimate } }: { answer: FeeEstimates }) {
  const { schedule, charged, lines, subtotal, tax, taxRate, total, currency } = estimate;
  const { base, factor } = schedule;
  return (
    <Sheet title="How it is calculated" flush>
      <ol className={styles.steps}>
        {(['ipv4', 'ipv6'] as const)
          .filter(family => estimate[family].count !== '0')
          .map(family => {
            const { count, bits, fee } = estimate[family];
            return (
              <li key={family} className={classNames(charged === family && styles.greater)}>
                <KindMark kind={family} />
                <span>
                  {names[family]}: log₂({formatCount(BigInt(count))}) − {offsets[family]} = {short(bits)} {bits === 1 ? 'bit' : 'bits'}
                  {bits === 0 && ', at least 0'}
                  <span className={styles.formula}>
                    {plain(base)} × {plain(factor)}
                    <sup>{short(bits)}</sup>
                  </span>
                </span>
                <span>{amountOf(fee)}</span>
              </li>
            );
          })}
        {lines.map(line => {
          const { words, formula } = stepWords(line, estimate);
          return (
            <li key={line.step}>
              <span />
              <span>
                {words}
                {formula && <span className={styles.formula}>{formula}</span>}
              </span>
              <span>{amountOf(line.amount)}</span>
            </li>
          );
        })}
        {taxRate !== null && (
          <li>
            <span />
            <span>
              Tax
              <span className={styles.formula}>
                {amountOf(subtotal)} × {plain(taxRate)}
              </span>
            </span>
            <span>{amountOf(tax)}</span>
          </li>
        )}
        <li className={styles.greater}>
          <span />
          <span>Total</span>
          <span>{money(currency, total)}</span>
        </li>
      </ol>
    </Sheet>
  );
}
