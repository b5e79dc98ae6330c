/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a drawing with numbers in words: no element of HTML is one */
import { money } from '@portal/app-kit/words/billing-words';
import type { FeeDesk, FeeRules } from '@portal/contract/billing/fee-schedules';
import { monthsAfter } from '@portal/contract/days';
import { Sheet, useNarrow } from '@portal/ui';
import drawing from '../shell/TimeAxis.module.css';
import { LEFT, RIGHT, timeScaleOf, WIDTH } from '../shell/time-scale.ts';
import { TimeAxis } from '../shell/TimeAxis.tsx';
import { feeOf, plainNumber } from './fee-words.ts';

/** The holding whose fee is drawn. */
const LENGTH = 22;
/** Years that are drawn before today. */
const YEARS = 5;
const [HEIGHT, TOP, BOTTOM] = [124, 30, 70];

type Step = { from: string; amount: number; rules: FeeRules; isPrepared: boolean };

/** The fees of members as they follow each other: as announced, then as prepared. */
function stepsOf({ announced, drafts, today }: FeeDesk, only?: string): Step[] {
  const steps = [
    ...announced.map(({ validFrom, fees }) => ({ from: validFrom, rules: fees.member, isPrepared: false })),
    ...drafts
      .filter(({ draftId }) => only === undefined || draftId === only)
      .map(({ announcement }) => ({ from: announcement.validFrom, rules: announcement.fees.member, isPrepared: true })),
  ];
  const all = steps
    .flatMap(({ from, rules, isPrepared }) => (rules ? [{ from, rules, isPrepared, amount: feeOf(rules, LENGTH) }] : []))
    .sort((a, b) => a.from.localeCompare(b.from));
  const first = monthsAfter(today, -12 * YEARS);
  return all.filter((_, place) => (all[place + 1]?.from ?? today) > first);
}

/** The fee of a member with a /22 by each schedule of the last years, over time; what is prepared is dashed. In narrow windows it is a sentence. @param only the draft that is drawn; all without it */
export function FeeLine({ desk, only }: { desk: FeeDesk; only?: string }) {
  const narrow = useNarrow();
  const steps = stepsOf(desk, only);
  if (steps.length < 2) return null;
  const words = steps.map(
    ({ from, amount, isPrepared }) => `${from}: ${money(desk.currency, amount.toFixed(2))}${isPrepared ? ', prepared' : ''}`,
  );
  return (
    <Sheet
      title={`Fee of a /${LENGTH}`}
      meta={
        <span className="small quiet">
          a year in {desk.currency}, by base fee and factor, before reductions and tax. Dashed is prepared
        </span>
      }
    >
      {narrow ? <p className="small">{words.join('; ')}.</p> : <Drawn steps={steps} today={desk.today} label={`${words.join('. ')}.`} />}
    </Sheet>
  );
}

function Drawn({ steps, today, label }: { steps: readonly Step[]; today: string; label: string }) {
  const scale = timeScaleOf([today, ...steps.map(({ from }) => from)]);
  const amounts = steps.map(({ amount }) => amount);
  const [least, most] = [Math.min(...amounts), Math.max(...amounts)];
  const y = (amount: number): number =>
    most === least ? (TOP + BOTTOM) / 2 : BOTTOM - ((amount - least) / (most - least)) * (BOTTOM - TOP);
  return (
    <svg className={drawing.line} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      {steps.map(({ from, amount, rules, isPrepared }, place) => {
        const next = steps[place + 1];
        const [begin, end, level] = [scale.x(from), next ? scale.x(next.from) : RIGHT, y(amount)];
        const before = steps[place - 1];
        return (
          <g key={from} data-proposed={isPrepared || undefined}>
            {before && <path d={`M${begin} ${y(before.amount)}V${level}`} data-rise />}
            <path d={`M${Math.max(LEFT, begin)} ${level}H${end}`} />
            <circle cx={begin} cy={level} r="4" />
            <text x={begin + 8} y={level - 8}>
              {money('', amount.toFixed(2)).trim()}
            </text>
            {end - begin > 110 && (
              <text x={begin + 8} y={level + 16} data-day>
                {money('', rules.baseFee).trim()} × {plainNumber(rules.bitFactor)}
              </text>
            )}
          </g>
        );
      })}
      <TimeAxis scale={scale} today={today} y={100} />
    </svg>
  );
}
