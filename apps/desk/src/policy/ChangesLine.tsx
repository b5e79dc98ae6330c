/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a drawing with its changes in words: no element of HTML is one */
import type { PolicyChange, PolicyDesk } from '@portal/contract/policy/policy';
import { Sheet, useNarrow } from '@portal/ui';
import drawing from '../shell/TimeAxis.module.css';
import styles from './Policy.module.css';
import { changeSentence, drawnChanges, labelledOn } from './changes-line.ts';
import { WIDTH } from '../shell/time-scale.ts';
import { TimeAxis } from '../shell/TimeAxis.tsx';

/** A row of words, and where the words of the lowest one begin above the axis. */
const [ROW, ABOVE] = [20, 14];

/** The changes of the policy on a line of time: those in force, those to come, and dashed those that aren’t confirmed. In narrow windows they are a list. */
export function ChangesLine({ desk }: { desk: PolicyDesk }) {
  const narrow = useNarrow();
  const changes = drawnChanges(desk);
  if (changes.length === 0) return null;
  return (
    <div className={styles.before}>
      <Sheet title="Changes over time" meta="What isn’t confirmed is dashed">
        {narrow ? (
          <ol className={styles.sentence}>
            {changes.map(change => (
              <li key={change.changeId}>{changeSentence(change, desk.currency)}</li>
            ))}
          </ol>
        ) : (
          <Drawing desk={desk} changes={changes} />
        )}
      </Sheet>
    </div>
  );
}

function Drawing({ desk, changes }: { desk: PolicyDesk; changes: readonly PolicyChange[] }) {
  const { scale, labels, rows } = labelledOn(changes, desk);
  const axis = ABOVE + Math.max(2, rows) * ROW + 8;
  return (
    <svg
      className={drawing.line}
      viewBox={`0 0 ${WIDTH} ${axis + 24}`}
      role="img"
      aria-label={changes.map(change => changeSentence(change, desk.currency)).join('; ')}
    >
      <TimeAxis scale={scale} today={desk.today} y={axis} top={0} />
      {labels.map(({ change, words, x, row }) => {
        const y = axis - ABOVE - row * ROW;
        return (
          <g
            key={change.changeId}
            data-coming={change.state === 'confirmed' || undefined}
            data-proposed={change.state === 'prepared' || undefined}
          >
            <path d={`M${x} ${axis - 4}V${y - 10}`} data-rise={change.state !== 'prepared' || undefined} />
            <circle cx={x} cy={axis} r="4.5" />
            <text x={x + 6} y={y}>
              {words}
            </text>
          </g>
        );
      })}
    </svg>
  );
}
