/* oxlint-disable jsx-a11y/prefer-tag-over-role -- drawn, not listed */
import { countChildren, type Prefix, printPrefix, type SparseStep } from '@portal/number-resources';
import { Sheet } from '@portal/ui';
import { useState } from 'react';
import styles from './SparsePage.module.css';

const width = 1000;
const rowHeight = 22;
const shownSteps = 16;

/** The block as a strip for each step: allocated parts, the newest one, and the room it has. The table has it as text. */
export function SparsePicture({
  parent,
  length,
  steps,
  used,
}: {
  parent: Prefix;
  length: number;
  steps: readonly SparseStep[];
  used: readonly bigint[];
}) {
  const [until, setUntil] = useState(Math.min(steps.length, shownSteps));
  const total = countChildren(parent, length);
  const at = (index: bigint): number => (Number((index * 1_000_000n) / total) / 1_000_000) * width;
  const size = Math.max(2, width / Number(total > 100_000n ? 100_000n : total));
  const from = Math.max(0, Math.min(until, steps.length) - shownSteps);
  const shown = steps.slice(from, until);
  const height = shown.length * rowHeight + 4;
  return (
    <Sheet
      title="How the block fills"
      meta={<span>One strip a step: the newest part, what it can grow to, and the parts before it</span>}
      flush
    >
      <div className={styles.picture}>
        {steps.length > 1 && (
          <label className={`small ${styles.steps}`}>
            <span>
              Step {until} of {steps.length}
            </span>
            <input
              className={styles.slider}
              type="range"
              min={1}
              max={steps.length}
              value={until}
              onChange={event => setUntil(Number(event.target.value))}
            />
          </label>
        )}
        <svg
          viewBox={`0 0 ${width + 90} ${height}`}
          preserveAspectRatio="none"
          style={{ minHeight: 14 * shown.length }}
          role="img"
          aria-label={`Parts of ${printPrefix(parent)} in the order of handing out, up to step ${until}`}
        >
          {shown.map(({ index, room, prefix }, line) => {
            const y = line * rowHeight + 2;
            const start = at((room.first - parent.first) >> BigInt((parent.family === 'ipv6' ? 128 : 32) - length));
            const share = Number(((room.last - room.first + 1n) * 1_000_000n) / (parent.last - parent.first + 1n)) / 1_000_000;
            return (
              <g key={String(index)}>
                <title>{`Step ${from + line + 1}: ${printPrefix(prefix)}, can grow to ${printPrefix(room)}`}</title>
                <rect className={styles.ground} x={0.5} y={y} width={width - 1} height={16} />
                <rect className={styles.room} x={start} y={y} width={Math.max(2, share * width)} height={16} />
                {used.map(each => (
                  <rect key={`u${each}`} className={styles.used} x={at(each)} y={y} width={size} height={16} />
                ))}
                {steps.slice(0, from + line).map(({ index: earlier }) => (
                  <rect key={String(earlier)} className={styles.part} x={at(earlier)} y={y} width={Math.min(size, 14)} height={16} />
                ))}
                <rect className={styles.last} x={at(index)} y={y} width={Math.min(Math.max(size, 3), 14)} height={16} />
                <text className={styles.label} x={width + 8} y={y + 12}>
                  #{from + line + 1} /{room.length}
                </text>
              </g>
            );
          })}
        </svg>
      </div>
    </Sheet>
  );
}
