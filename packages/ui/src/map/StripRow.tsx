import { memo, useMemo } from 'react';
import styles from './AddressStrips.module.css';
import { barHeight, type Strip, type StripKind, thinnest } from './strip-layout.ts';

const kinds: readonly StripKind[] = ['unassigned', 'own', 'partly', 'full', 'held'];

type Props = {
  id: string;
  strip: Strip;
  y: number;
  left: number;
  barWidth: number;
  width: number;
  current: boolean;
  selected: string | null;
  position: number;
  count: number;
};

/** One path per kind, regardless of the number of delegations: a thousand are drawn as quickly as ten. */
export const StripRow = memo(function StripRow({ id, strip, y, left, barWidth, width, current, selected, position, count }: Props) {
  const paths = useMemo(
    () =>
      kinds.flatMap(kind => {
        const path = strip.marks
          .filter(mark => mark.kind === kind)
          .map(mark => {
            const w = Math.max(thinnest, mark.share * barWidth);
            const x = Math.min(left + mark.start * barWidth, left + barWidth - w);
            return `M${x.toFixed(1)} ${y}h${w.toFixed(1)}v${barHeight}h-${w.toFixed(1)}z`;
          })
          .join('');
        return path ? [[kind, path] as const] : [];
      }),
    [strip.marks, barWidth, left, y],
  );
  const mark = strip.marks.find(each => each.id === selected);
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn, not listed
    <g role="option" id={id} aria-selected={current} aria-label={strip.words} aria-posinset={position} aria-setsize={count}>
      <g aria-hidden="true">
        <text className={current ? styles.label : styles.coordinate} x={left - 9} y={y + barHeight - 3} textAnchor="end">
          {strip.label}
        </text>
        <rect className={styles.base} x={left} y={y} width={barWidth} height={barHeight} />
        {paths.map(([kind, path]) => (
          <path key={kind} className={styles[kind]} d={path} />
        ))}
        <text className={current ? styles.strong : styles.amount} x={width} y={y + barHeight - 3} textAnchor="end">
          {strip.amount}
        </text>
        {current && <rect className={styles.frame} x={left - 1} y={y - 2.5} width={barWidth + 2} height={barHeight + 5} />}
        {mark && (
          <path className={styles.pointer} d={`M${(left + (mark.start + mark.share / 2) * barWidth).toFixed(1)} ${y - 1}l-4-5h8z`} />
        )}
      </g>
    </g>
  );
});
