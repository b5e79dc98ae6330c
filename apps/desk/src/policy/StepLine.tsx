/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a drawing with numbers in words: no element of HTML is one */
import type { PolicyValueName } from '@portal/contract/policy/policy-values';
import { policyValueWords } from '@portal/contract/policy/policy-values';
import { useNarrow } from '@portal/ui';
import drawing from '../shell/TimeAxis.module.css';
import styles from './Policy.module.css';
import { dayWords, plainValue, type ValueStep } from './policy-words.ts';
import { LEFT, RIGHT, timeScaleOf, WIDTH } from '../shell/time-scale.ts';
import { TimeAxis } from '../shell/TimeAxis.tsx';

const [HEIGHT, TOP, BOTTOM] = [124, 30, 70];
/** A day in words is about so wide. */
const DAY_WIDTH = 76;

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
  const days = [today, ...steps.flatMap(({ from }) => from ?? [])];
  const scale = timeScaleOf(days);
  const { x } = scale;
  const numbers = steps.map(({ value }) => Number(value));
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  const y = (value: string): number =>
    most === least ? (TOP + BOTTOM) / 2 : BOTTOM - ((Number(value) - least) / (most - least)) * (BOTTOM - TOP);
  return (
    <svg className={drawing.line} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={words}>
      <TimeAxis scale={scale} today={today} y={100} />
      {steps.map(({ from, value, isProposed }, place) => {
        const [begin, end] = [from === null ? LEFT : x(from), steps[place + 1]?.from ? x(steps[place + 1]!.from!) : RIGHT];
        const level = y(value);
        const before = steps[place - 1];
        // Words that the line of today would run through are on the other side of their step.
        const isLeft = from !== null && begin < x(today) && begin + 8 + DAY_WIDTH > x(today);
        const words = isLeft ? { x: begin - 8, textAnchor: 'end' as const } : { x: begin + (from === null ? 0 : 8) };
        return (
          <g key={from ?? 'file'} data-proposed={isProposed || undefined}>
            {before && <path d={`M${begin} ${y(before.value)}V${level}`} data-rise />}
            <path d={`M${begin} ${level}H${end}`} />
            {from !== null && <circle cx={begin} cy={level} r="4" />}
            <text {...words} y={level - 8}>
              {plainValue(name, value)}
            </text>
            {from !== null && (
              <text {...words} y={level + 16} data-day>
                {dayWords(from)}
              </text>
            )}
          </g>
        );
      })}
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
