import { actMarks, heldMarks, objectWords } from '@portal/app-kit/words/planned-effects';
import type { HeldObject, PlannedEffect } from '@portal/contract/requests/requests';
import { objectInWords } from '@portal/contract/requests/request-words';
import { DateText, formatCount, StateMark } from '@portal/ui';
import styles from './Request.module.css';

/** The objects on a block that is handed over, each with what the plan of the sender does with it. */
export function Effects({ effects }: { effects: readonly PlannedEffect[] }) {
  if (effects.length === 0) return null;
  return (
    <details>
      <summary className="small">Plan for {effects.length === 1 ? '1 object' : `${formatCount(effects.length)} objects`}</summary>
      <ul className={styles.effects} aria-label="Plan for each object">
        {effects.map(({ what, name, today, act, zone }) => (
          <li key={`${what} ${name} ${today}`}>
            <span>
              <span className="mono">{objectInWords(name)}</span>
              <span className={styles.second}>
                {objectWords[what]}: {today}
              </span>
            </span>
            <span className={styles.marks}>
              {zone === 'lame' && <StateMark state="warning">Doesn’t answer</StateMark>}
              <StateMark state={actMarks[act].state}>{actMarks[act].words}</StateMark>
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** The objects that a completed transfer handed over for a time. */
export function Held({ held }: { held: readonly HeldObject[] }) {
  return (
    <ul className={styles.effects} aria-label="Held for a time">
      {held.map(({ heldId, what, name, endsOn, state }) => (
        <li key={heldId}>
          <span>
            <span className="mono">{objectInWords(name)}</span>
            <span className={styles.second}>
              {objectWords[what]}
              {state === 'held' && (
                <>
                  , until <DateText value={endsOn} shape="date" />
                </>
              )}
            </span>
          </span>
          <StateMark state={heldMarks[state].state}>{heldMarks[state].words}</StateMark>
        </li>
      ))}
    </ul>
  );
}
