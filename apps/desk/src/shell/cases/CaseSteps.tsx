import type { RequestEvent } from '@portal/contract/requests/requests';
import { Button, DateText, Sheet } from '@portal/ui';
import { useState } from 'react';
import styles from './Case.module.css';
import { eventLine } from './event-words.ts';

/** A step of a case of any kind. */
type Step = Pick<RequestEvent, 'kind' | 'at' | 'by'> & Partial<Pick<RequestEvent, 'eventId' | 'internal' | 'words'>>;

/** Steps that are shown before all are asked for. */
const LATEST = 6;

/** The steps of a case, the latest first, without what was said. */
export function CaseSteps({ events }: { events: readonly Step[] }) {
  const [isAll, setAll] = useState(false);
  const steps = events.toReversed();
  const shown = isAll ? steps : steps.slice(0, LATEST);
  return (
    <Sheet
      flush
      title="History"
      meta={<span>{events.length}</span>}
      actions={
        steps.length > LATEST && (
          <Button size="s" aria-expanded={isAll} onClick={() => setAll(!isAll)}>
            {isAll ? 'Latest' : `All ${steps.length}`}
          </Button>
        )
      }
    >
      <ol className={styles.steps}>
        {shown.map(({ eventId, kind, at, by, internal, words = '' }) => (
          <li key={eventId ?? `${kind} ${at}`}>
            <DateText value={at} />
            <span>
              {eventLine({ kind, words, by })}
              {by && kind !== 'reserved' && (
                <>
                  {' '}
                  <span className="strong">{by}</span>
                </>
              )}
              {internal && <span className="quiet">, internal</span>}
            </span>
          </li>
        ))}
      </ol>
    </Sheet>
  );
}
