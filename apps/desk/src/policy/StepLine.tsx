/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a drawing with numbers in words: no element of HTML is one */
import { daysAfter, daysBetween } from '@portal/contract/days';
import type { PolicyValueName } from '@portal/contract/policy/policy-values';
import { policyValueWords } from '@portal/contract/policy/policy-values';
import { formatDate, useNarrow } from '@portal/ui';
import styles from './Policy.module.css';
import { plainValue, type ValueStep } from './policy-words.ts';

const [WIDTH, HEIGHT, LEFT, RIGHT] = [1000, 124, 20, 980];
const [TOP, BOTTOM] = [30, 70];
const dayWords = (day: string): string => formatDate(day, { timeZone: 'UTC', hourCycle: 'h23' }, 'date');

/** A value over time as steps; what is proposed is dashed. In narrow windows it is a sentence. */
export function StepLine({
  name,
  steps,
  today,
  currency,
}: {
  name: PolicyValueName;
  steps: readonly ValueStep[];
  today: string;
  currency: string;
}) {
  const narrow = useNarrow();
  const words = sentenceOf(name, steps, currency);
  if (narrow) return <p className={styles.sentence}>{words}</p>;
  const days = [today, ...steps.flatMap(({ from }) => from ?? [])].sort();
  const first = `${Number(days[0]!.slice(0, 4)) - 1}-01-01`;
  const last = `${Number(daysAfter(days.at(-1)!, 200).slice(0, 4)) + 1}-01-01`;
  const span = daysBetween(first, last);
  const x = (day: string): number => LEFT + (daysBetween(first, day) / span) * (RIGHT - LEFT);
  const numbers = steps.map(({ value }) => Number(value));
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  const y = (value: string): number =>
    most === least ? (TOP + BOTTOM) / 2 : BOTTOM - ((Number(value) - least) / (most - least)) * (BOTTOM - TOP);
  const years = Array.from(
    { length: Number(last.slice(0, 4)) - Number(first.slice(0, 4)) },
    (_, place) => Number(first.slice(0, 4)) + place,
  );
  return (
    <svg className={styles.line} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={words}>
      {steps.map(({ from, value, isProposed }, place) => {
        const [begin, end] = [from === null ? LEFT : x(from), steps[place + 1]?.from ? x(steps[place + 1]!.from!) : RIGHT];
        const level = y(value);
        const before = steps[place - 1];
        return (
          <g key={from ?? 'file'} data-proposed={isProposed || undefined}>
            {before && <path d={`M${begin} ${y(before.value)}V${level}`} data-rise />}
            <path d={`M${begin} ${level}H${end}`} />
            {from !== null && <circle cx={begin} cy={level} r="4" />}
            <text x={begin + (from === null ? 0 : 8)} y={level - 8}>
              {plainValue(name, value)}
            </text>
            {from !== null && (
              <text x={begin + 8} y={level + 16} data-day>
                {dayWords(from)}
              </text>
            )}
          </g>
        );
      })}
      <g data-now>
        <path d={`M${x(today)} 4V96`} />
        <text x={x(today) - 5} y="12" textAnchor="end">
          now
        </text>
      </g>
      <g data-scale>
        <path d={`M${LEFT} 100H${RIGHT}`} />
        {years.map((year, place) => {
          const begin = x(`${year}-01-01`);
          const width = x(year === years.at(-1) ? last : `${year + 1}-01-01`) - begin;
          return (
            <g key={year}>
              {place % 2 === 0 && <rect x={begin} y="100" width={width} height="3" />}
              <text x={begin} y="118">
                {year}
              </text>
            </g>
          );
        })}
      </g>
    </svg>
  );
}

/** The same in words. */
function sentenceOf(name: PolicyValueName, steps: readonly ValueStep[], currency: string): string {
  const parts = steps.map(({ from, value, isProposed }) => {
    const words = policyValueWords(name, value, currency);
    return from === null ? `${words} by the profile file` : `${words} from ${dayWords(from)}${isProposed ? ', proposed' : ''}`;
  });
  return `${parts.join('; ')}.`;
}
