/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a drawing with numbers in words: no element of HTML is one */
import type { FeeEffect, FeeRules } from '@portal/contract/billing/fee-schedules';
import { formatCount } from '@portal/ui';
import styles from './Fees.module.css';
import { feeOf, percentBetween, percentWords } from './fee-words.ts';
import { sizeWords } from './SizeList.tsx';

const [WIDTH, LEFT, RIGHT] = [680, 66, 668];
/** Accounts by size above, the change of a fee by size below. */
const [BARS, FLOOR, CURVE, END] = [26, 118, 154, 244];

type Props = { effect: FeeEffect; before: FeeRules | undefined; after: FeeRules };

/** Accounts by size, filled where they pay more, over how much more or less a member of each size pays by the rules alone. */
export function SizePicture({ effect: { sizes }, before, after }: Props) {
  const drawn = sizes.filter(({ accounts, length }) => accounts > 0 && length !== null);
  const without = sizes.find(({ length }) => length === null);
  const [first, last] = [
    Math.max(after.ipv4Base, ...drawn.map(({ length }) => length!)),
    Math.min(...drawn.map(({ length }) => length!), after.ipv4Base - 8),
  ];
  const lengths = Array.from({ length: first - last + 1 }, (_, place) => first - place);
  const step = (RIGHT - LEFT) / (lengths.length + (without ? 1 : 0));
  const offset = without ? step : 0;
  /** The middle of the bar of a length, which may have a fraction. */
  const x = (length: number): number => LEFT + offset + (first - length + 0.5) * step;
  const most = Math.max(1, ...sizes.map(({ accounts }) => accounts));
  const words = sizes.map(({ length, accounts, before: was, after: is }) => {
    const percent = percentBetween(was, is);
    return `${length === null ? 'without addresses' : `/${length}`}: ${formatCount(accounts)}${percent === null ? '' : `, ${percentWords(percent)}`}`;
  });
  const bars = [
    ...(without ? [{ at: LEFT + step / 2, size: without }] : []),
    ...lengths.flatMap(length => {
      const size = drawn.find(each => each.length === length);
      return size ? [{ at: x(length), size }] : [];
    }),
  ];
  return (
    <svg
      className={styles.picture}
      viewBox={`0 0 ${WIDTH} ${before ? END + 22 : FLOOR + 26}`}
      role="img"
      aria-label={`Accounts by size. ${words.join('; ')}.`}
    >
      <text x="16" y="18" data-quiet>
        accounts
      </text>
      <path d={`M${LEFT} ${FLOOR}H${RIGHT}`} data-axis />
      {bars.map(({ at, size: { length, accounts, before: was, after: is } }) => {
        const top = FLOOR - Math.max(2, (accounts / most) * (FLOOR - BARS - 10));
        const rises = (percentBetween(was, is) ?? 0) > 0;
        return (
          <g key={length}>
            <rect x={at - step * 0.42} y={top} width={step * 0.84} height={FLOOR - top} data-bar data-rises={rises || undefined} />
            <text x={at} y={top - 5} textAnchor="middle">
              {formatCount(accounts)}
            </text>
          </g>
        );
      })}
      {without && (
        <text x={LEFT + step / 2} y={FLOOR + 17} textAnchor="middle" data-quiet>
          {sizeWords(null)}
        </text>
      )}
      {lengths.map(
        (length, place) =>
          (step > 34 || place % 2 === 0) && (
            <text key={length} x={x(length)} y={FLOOR + 17} textAnchor="middle" data-quiet>
              /{length}
            </text>
          ),
      )}
      {before && <Curve before={before} after={after} lengths={lengths} x={x} />}
    </svg>
  );
}

type CurveProps = { before: FeeRules; after: FeeRules; lengths: readonly number[]; x: (length: number) => number };

/** How much more or less a member with an IPv4 block pays, in percent, by base fee and factor. */
function Curve({ before, after, lengths, x }: CurveProps) {
  const percent = (length: number): number => (feeOf(after, length) / feeOf(before, length) - 1) * 100;
  const points = lengths.map(length => ({ length, percent: percent(length) }));
  const values = points.map(each => each.percent);
  const [least, greatest] = [Math.min(0, ...values), Math.max(0, ...values)];
  const span = Math.max(0.1, greatest - least);
  const y = (value: number): number => END - ((value - least) / span) * (END - CURVE);
  const line = points.map(each => `${x(each.length).toFixed(1)} ${y(each.percent).toFixed(1)}`).join('L');
  const [from, to] = [x(lengths[0]!), x(lengths.at(-1)!)];
  const turn = points.findIndex(({ percent: value }, place) => place > 0 && value !== 0 && points[place - 1]!.percent * value < 0);
  const same = turn < 0 ? null : lengthBetween(points[turn - 1]!, points[turn]!);
  const ends = [points[0]!, points.at(-1)!];
  return (
    <g data-curve>
      <path d={`M${from} ${y(0)}L${line}L${to} ${y(0)}Z`} data-area />
      <path d={`M${LEFT} ${y(0)}H${RIGHT}`} data-zero />
      <path d={`M${line}`} data-line />
      <text x="16" y={y(0) + 4} data-quiet>
        same
      </text>
      {ends.map(({ length, percent: value }, place) => (
        <text
          key={length}
          x={place === 0 ? x(length) - 4 : x(length) + 4}
          y={y(value) + (value < 0 ? 15 : -7)}
          textAnchor={place === 0 ? 'start' : 'end'}
          data-accent
        >
          {percentWords(value)} at /{length}
        </text>
      ))}
      {same !== null && (
        <>
          <path d={`M${x(same)} ${BARS - 6}V${END}`} data-turn />
          <text x={x(same) + 5} y={BARS - 8} data-accent>
            same fee at {formatCount(Math.round(2 ** (32 - same)))} addresses
          </text>
        </>
      )}
    </g>
  );
}

/** Where the curve crosses nothing between two of its points. */
const lengthBetween = (one: { length: number; percent: number }, other: { length: number; percent: number }): number =>
  one.length + (other.length - one.length) * (one.percent / (one.percent - other.percent));
