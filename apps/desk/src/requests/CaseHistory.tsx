import type { StaffResourceRequest } from '@portal/contract/requests/desk';
import { DateText } from '@portal/ui';
import { Quote } from '@portal/ui/text/Quote';
import { eventLine, said } from '../shell/cases/event-words.ts';
import styles from './Request.module.css';

/** The conversation and history of a request, oldest first, with the internal notes: for the second person. */
export function CaseHistory({ request }: { request: StaffResourceRequest }) {
  return (
    <ul className={styles.people}>
      {request.events.map(({ eventId, kind: what, at, by, byStaff, words, internal, party }) => (
        <li key={eventId}>
          {eventLine({ kind: what, words, by })} {by && what !== 'reserved' && <span className="strong">{by}</span>}{' '}
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
