import { formatCount } from '@portal/ui';
import styles from './ApiKeys.module.css';

const HEIGHT = 22;
const STEP = 6;

/** Calls of each of the last days as bars, today last. */
export function CallBars({ calls }: { calls: readonly number[] }) {
  const most = Math.max(...calls, 1);
  const sum = calls.reduce((total, each) => total + each, 0);
  const words =
    sum === 0
      ? `No calls in ${calls.length} days`
      : `${formatCount(sum)} calls in ${calls.length} days, at most ${formatCount(most)} a day`;
  const bars = calls.map((count, day) => ({ day, height: count === 0 ? 0 : Math.max(2, (count / most) * (HEIGHT - 2)) }));
  const width = calls.length * STEP;
  return (
    <span title={words}>
      <svg className={styles.bars} viewBox={`0 0 ${width} ${HEIGHT}`} width={width} height={HEIGHT} aria-hidden="true">
        <path d={`M0 ${HEIGHT - 0.5}H${width}`} />
        {bars.map(({ day, height }) => (
          <rect key={day} x={day * STEP} y={HEIGHT - 1 - height} width={4.5} height={height} />
        ))}
      </svg>
      <span className="vh">{words}</span>
    </span>
  );
}
