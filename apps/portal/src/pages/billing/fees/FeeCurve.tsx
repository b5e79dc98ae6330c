/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a drawing with numbers in words: no element of HTML is one */
import { money } from '@portal/app-kit/words/billing-words';
import type { FeeEstimate, FeeEstimates } from '@portal/contract/billing/fee-estimates';
import { formatCount, Sheet, useNarrow } from '@portal/ui';
import styles from './FeeCurve.module.css';

type Family = 'ipv4' | 'ipv6';
const names = { ipv4: 'IPv4', ipv6: 'IPv6' } as const;
const fewestBits = 10;
const margin = { left: 58, right: 12, top: 16, bottom: 26 } as const;

type Curve = { base: string; factor: string; ipv4Base: number; ipv6Base: number };
/** The length of the prefix that costs the base fee; a bit more is a length less. */
const zeroOf = (family: Family, { ipv4Base, ipv6Base }: Curve): number => (family === 'ipv4' ? ipv4Base : ipv6Base);
const feeAt = ({ base, factor }: Curve, bits: number): number => Number(base) * Number(factor) ** Math.max(0, bits);

/** Round numbers for the lines of the scale: 1, 2 or 5 times a power of ten, about four of them. */
function stepOf(most: number): number {
  const rough = most / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map(each => each * power).find(each => each >= rough)!;
}

/** The fee over the size of the holding, of the family that is charged: this year and the year before, with today's holding and the calculated one on it. */
export function FeeCurve({ answer, now }: { answer: FeeEstimates; now: FeeEstimates | null }) {
  const narrow = useNarrow();
  const { estimate, before } = answer;
  const family: Family = estimate.charged ?? 'ipv4';
  const [width, height] = narrow ? [340, 220] : [680, 240];
  const zero = zeroOf(family, estimate.schedule);
  // Where the base fee is for another size, the curve of the year before is as much to the side.
  const aside = before ? zeroOf(family, before) - zero : 0;
  const here = now && now.estimate[family].count !== '0' ? now.estimate[family] : null;
  const there = estimate[family].count === '0' ? null : estimate[family];
  const maxBits = Math.min(zero, Math.max(fewestBits, Math.ceil(Math.max(here?.bits ?? 0, there?.bits ?? 0)) + 1));
  const most = Math.max(feeAt(estimate.schedule, maxBits), before ? feeAt(before, maxBits + aside) : 0);
  const step = stepOf(most);
  const x = (bits: number): number => margin.left + (bits / maxBits) * (width - margin.left - margin.right);
  const y = (fee: number): number => height - margin.bottom - (fee / most) * (height - margin.top - margin.bottom);
  const curve = (of: Curve, moved = 0): string =>
    Array.from(
      { length: maxBits * 4 + 1 },
      (_, i) => `${i === 0 ? 'M' : 'L'}${x(i / 4).toFixed(1)} ${y(feeAt(of, i / 4 + moved)).toFixed(1)}`,
    ).join('');
  const year = estimate.begins.slice(0, 4);
  const moved = here && there && here.count !== there.count;
  const single = here ?? there;
  const said = [
    `Fee by ${names[family]} holding in ${year}.`,
    here && `You are here: ${money(estimate.currency, here.fee)} for ${here.count} ${unitOf(family)}.`,
    (moved || !here) && there && `Calculated: ${money(estimate.currency, there.fee)} for ${there.count} ${unitOf(family)}.`,
  ].filter(Boolean);
  const every = maxBits > 12 || narrow ? 2 : 1;
  return (
    <Sheet
      title={`Fee by ${names[family]} holding`}
      meta="before reductions, AS numbers and tax"
      actions={
        <span className={styles.legend}>
          <span className={styles.now}>{year}</span>
          {before && <span className={styles.earlier}>{before.year}</span>}
        </span>
      }
    >
      <svg className={styles.curve} data-family={family} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={said.join(' ')}>
        {Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step).map(fee => (
          <g key={fee}>
            <path className={styles.grid} d={`M${margin.left} ${y(fee)}H${width - margin.right}`} />
            <text className={styles.scale} x={margin.left - 8} y={y(fee) + 4} textAnchor="end">
              {formatCount(fee)}
            </text>
          </g>
        ))}
        {Array.from({ length: maxBits + 1 }, (_, bits) => bits)
          .filter(bits => bits % every === 0)
          .map(bits => (
            <text key={bits} className={styles.scale} x={x(bits)} y={height - 8} textAnchor="middle">
              /{zero - bits}
            </text>
          ))}
        {before && <path className={styles.before} d={curve(before, aside)} />}
        <path className={styles.line} d={curve(estimate.schedule)} />
        {single && <Mark part={single} words={here ? 'You are here' : 'Calculated'} at={{ x, y, width }} kind={here ? 'here' : 'there'} />}
        {moved && <Mark part={there} words="Calculated" at={{ x, y, width }} kind="there" below />}
      </svg>
    </Sheet>
  );
}

const unitOf = (family: Family): string => (family === 'ipv4' ? 'addresses' : 'blocks of /56');

type Scale = { x: (bits: number) => number; y: (fee: number) => number; width: number };

/** A holding on the curve, labelled with its fee: above left, or below right if another label is above; flipped at the edge of the picture. */
function Mark({
  part,
  words,
  at,
  kind,
  below = false,
}: {
  part: FeeEstimate['ipv4'];
  words: string;
  at: Scale;
  kind: 'here' | 'there';
  below?: boolean;
}) {
  const [cx, cy] = [at.x(part.bits), at.y(Number(part.fee))];
  const room = 130;
  const right = below ? cx + room < at.width : cx < margin.left + room;
  const tx = cx + (right ? 16 : -16);
  // Below the point the curve is on its left, and its right is free.
  const ty = below ? cy + (right ? 26 : 46) : Math.max(margin.top + 12, cy - 34);
  return (
    <g className={kind === 'here' ? styles.here : styles.there}>
      <path d={`M${cx} ${cy}L${tx - (right ? 4 : -4)} ${ty + 2}`} />
      <circle cx={cx} cy={cy} r={5} />
      <text x={tx} y={ty} textAnchor={right ? 'start' : 'end'}>
        {words}
      </text>
      <text x={tx} y={ty + 14} textAnchor={right ? 'start' : 'end'} className={styles.amount}>
        {money('', part.fee).trim()}
      </text>
    </g>
  );
}
