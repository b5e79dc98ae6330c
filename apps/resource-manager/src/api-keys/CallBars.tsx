import { formatCount } from '@portal/ui';
import styles from './ApiKeys.module.css';

const HEIGHT = 22;

/** Calls of each of the last days as bars, today last. */
export function CallBars({ calls }: { calls: readonly number[] }) {
  const most = Math.max(...calls, 1);
  const sum = calls.reduce((total, each) => total + each, 0);
  const words =
    sum === 0
      ? `No calls in ${calls.length} days`
      : `${formatCount(sum)} calls in ${calls.length} days, at most ${formatCount(most)} a day`;
  return (
    <svg
      className={styles.bars}
      viewBox={`0 0 ${calls.length * 6} ${HEIGHT}`}
      width={calls.length * 6}
      height={HEIGHT}
      role="img"
      aria-label={words}
    >
      <title>{words}</title>
      <path d={`M0 ${HEIGHT - 0.5}H${calls.length * 6}`} />
      {calls.map((count, day) => {
        const height = count === 0 ? 0 : Math.max(2, (count / most) * (HEIGHT - 2));
        // biome-ignore lint/suspicious/noArrayIndexKey: the place is the day
        return <rect key={day} x={day * 6} y={HEIGHT - 1 - height} width={4.5} height={height} />;
      })}
    </svg>
  );
}
