import styles from './AddressStrips.module.css';
import { type StripFrame, top } from './strip-layout.ts';

/** The graduated edge over the strips, with the lines through them. */
export const StripScale = ({ ticks, amountHead, frame }: { ticks: readonly string[]; amountHead: string; frame: StripFrame }) => {
  const { left, barWidth, width, height } = frame;
  return (
    <g aria-hidden="true">
      {ticks.map((tick, index) => {
        const share = index / (ticks.length - 1);
        const anchor = index === 0 ? 'start' : index === ticks.length - 1 ? 'end' : 'middle';
        if (width < 460 && index % 2 === 1) return null;
        return (
          <text key={tick + String(index)} className={styles.quiet} x={left + share * barWidth} y="10" textAnchor={anchor}>
            {tick}
          </text>
        );
      })}
      <text className={styles.quiet} x={width} y="10" textAnchor="end">
        {amountHead}
      </text>
      <path className={styles.edge} d={`M${left} 20.5h${barWidth}`} />
      {[0, 1, 2, 3, 4, 5, 6, 7].map(eighth => (
        <rect key={eighth} className={styles.ink} x={left + (eighth * barWidth) / 8} y="17" width={barWidth / 16} height="3.5" />
      ))}
      {[0.25, 0.5, 0.75].map(share => (
        <path key={share} className={styles.graticule} d={`M${(left + share * barWidth).toFixed(1)} ${top - 2}V${height - 5}`} />
      ))}
    </g>
  );
};
