import { classNames } from '../text/class-names.ts';
import styles from './Skeleton.module.css';

type Loading = { label?: string };
const times = (count: number) => Array.from({ length: count }, (_, index) => index);
const widths = ['72%', '48%', '60%', '38%', '66%'];

/** Loading rows of a table or list, as high as the real ones. */
export function SkeletonRows({
  rows = 5,
  columns = 3,
  height = 36,
  label = 'Loading',
}: Loading & { rows?: number; columns?: number; height?: number }) {
  return (
    <div aria-busy="true">
      <span className="vh">{label}</span>
      {times(rows).map(row => (
        <div key={row} className={styles.row} style={{ height }}>
          {times(columns).map(column => (
            <span key={column} className={styles.cell}>
              <i className={styles.bar} style={{ width: widths[(row + column * 2) % widths.length] }} />
            </span>
          ))}
        </div>
      ))}
    </div>
  );
}

/** Loading lines of text. */
export function SkeletonLines({ lines = 3, label = 'Loading' }: Loading & { lines?: number }) {
  return (
    <div aria-busy="true" className={styles.lines}>
      <span className="vh">{label}</span>
      {times(lines).map(line => (
        <i key={line} className={styles.bar} style={{ width: widths[line % widths.length] }} />
      ))}
    </div>
  );
}

/** Placeholders of loading sections, in the grid of the real ones. */
export function SkeletonTiles({ tiles = 3, height = 160, label = 'Loading' }: Loading & { tiles?: number; height?: number }) {
  return (
    <div aria-busy="true" className={styles.tiles}>
      <span className="vh">{label}</span>
      {times(tiles).map(tile => (
        <div key={tile} className={styles.tile} style={{ height }}>
          <i className={styles.bar} style={{ width: '30%' }} />
          <i className={classNames(styles.bar, styles.tall)} style={{ width: '52%' }} />
        </div>
      ))}
    </div>
  );
}
