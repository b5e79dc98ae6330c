import type { StaffResourceRequest } from '@portal/contract/requests/desk';
import { DateText, Sheet } from '@portal/ui';
import { Quote } from '@portal/ui/text/Quote';
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

/** The steps of a request, the latest first, without what was said. */
export function CaseSteps({ events }: Pick<StaffResourceRequest, 'events'>) {
  return (
    <Sheet flush title="History" meta={<span>{events.length}</span>}>
      <ol className={caseStyles.steps}>
        {events.toReversed().map(({ eventId, kind, at, by, internal }) => (
          <li key={eventId}>
            <DateText value={at} shape="date" />
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
