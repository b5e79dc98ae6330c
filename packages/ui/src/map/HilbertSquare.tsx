import { useMemo } from 'react';
import styles from './HilbertSquare.module.css';

/** A cell of the square: its place on the curve, how much of it is held (0 to 1), and a mark for the one under inspection. */
export type HilbertCell = { index: number; share: number; current?: boolean };

/** Column and row of a place on a Hilbert curve that fills a square of 2^order cells a side. */
export function hilbertPlace(order: number, index: number): { x: number; y: number } {
  let [x, y] = [0, 0];
  let rest = index;
  for (let side = 1; side < 1 << order; side *= 2) {
    const right = 1 & (rest >> 1);
    const up = 1 & (rest ^ right);
    if (up === 0) {
      if (right === 1) [x, y] = [side - 1 - x, side - 1 - y];
      [x, y] = [y, x];
    }
    x += side * right;
    y += side * up;
    rest >>= 2;
  }
  return { x, y };
}

const cell = 8;

/** All 4^order equal parts of an address space as a Hilbert curve: neighbours in number stay neighbours in the picture. */
export function HilbertSquare({ order, cells, label }: { order: number; cells: readonly HilbertCell[]; label: string }) {
  const side = (1 << order) * cell;
  const curve = useMemo(() => {
    const points = Array.from({ length: 4 ** order }, (_, index) => {
      const { x, y } = hilbertPlace(order, index);
      return `${x * cell + cell / 2} ${y * cell + cell / 2}`;
    });
    return `M${points.join('L')}`;
  }, [order]);
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn from data
    <svg className={styles.square} viewBox={`0 0 ${side} ${side}`} role="img" aria-label={label}>
      <rect className={styles.ground} width={side} height={side} />
      <path className={styles.curve} d={curve} />
      {cells.map(({ index, share, current }) => {
        const { x, y } = hilbertPlace(order, index);
        return (
          <rect
            key={index}
            className={current ? styles.current : styles.held}
            x={x * cell + 0.5}
            y={y * cell + 0.5}
            width={cell - 1}
            height={cell - 1}
            // A small share remains visible.
            fillOpacity={0.35 + 0.65 * Math.sqrt(Math.min(1, share))}
          />
        );
      })}
    </svg>
  );
}
