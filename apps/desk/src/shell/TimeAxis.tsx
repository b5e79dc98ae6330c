import type { TimeScale } from './time-scale.ts';
import { LEFT, RIGHT } from './time-scale.ts';

/** The axis of a drawing of time, with today across it. @param y where it is @param top where the line of today begins */
export function TimeAxis({ scale: { x, years }, today, y, top = 4 }: { scale: TimeScale; today: string; y: number; top?: number }) {
  return (
    <>
      <g data-now>
        <path d={`M${x(today)} ${top}V${y - 4}`} />
        <text x={x(today) - 5} y={top + 8} textAnchor="end">
          now
        </text>
      </g>
      <g data-scale>
        <path d={`M${LEFT} ${y}H${RIGHT}`} />
        {years.map(({ year, begin, width }, place) => (
          <g key={year}>
            {place % 2 === 0 && <rect x={begin} y={y} width={width} height="3" />}
            <text x={begin} y={y + 18}>
              {year}
            </text>
          </g>
        ))}
      </g>
    </>
  );
}
