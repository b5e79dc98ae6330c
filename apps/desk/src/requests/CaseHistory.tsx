import type { StaffResourceRequest } from '@portal/contract/requests/desk';
import { Button, DateText, Sheet } from '@portal/ui';
import { Quote } from '@portal/ui/text/Quote';
import { useState } from 'react';
import caseStyles from '../shell/cases/Case.module.css';
import { eventWords, said } from '../shell/cases/event-words.ts';
import styles from './Request.module.css';

/** The conversation and history of a request, oldest first, with the internal notes: for the second person. */
export function CaseHistory({ request }: { request: StaffResourceRequest }) {
  return (
    <ul className={styles.people}>
      {request.events.map(({ eventId, kind: what, at, by, byStaff, words, internal, party }) => (
        <li key={eventId}>
          {eventWords[what] ?? what} {by && <span className="strong">{by}</span>}{' '}
          {internal && <span className="quiet small">only for registry staff</span>}{' '}
          {byStaff && request.recipientName !== null && said.includes(what) && (
            <span className="quiet small">to {party ?? 'both parties'}</span>
          )}{' '}
          <span className="quiet small">
            <DateText value={at} />
          </span>
          <Quote words={words} />
        </li>
      ))}
    </ul>
  );
}

/** Steps that are shown before all are asked for. */
const LATEST = 6;

/** The steps of a request, the latest first, without what was said. */
export function CaseSteps({ events }: Pick<StaffResourceRequest, 'events'>) {
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
      <ol className={caseStyles.steps}>
        {shown.map(({ eventId, kind, at, by, internal }) => (
          <li key={eventId}>
            <DateText value={at} />
            <span>
              {eventWords[kind] ?? kind}
              {by && (
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
