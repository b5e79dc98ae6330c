import { initialsOf } from '@portal/app-kit/words/initials';
import type { RequestEvent } from '@portal/contract/requests/requests';
import { DateText } from '@portal/ui';
import caseStyles from './Case.module.css';
import { eventWords, said } from './event-words.ts';

/** Messages of a case, oldest first: who, to whom, when. Events without words are in its history. */
export function CaseEvents({ events, hasTwoParties, label }: { events: readonly RequestEvent[]; hasTwoParties: boolean; label: string }) {
  const spoken = events.filter(({ words }) => words !== '');
  if (spoken.length === 0) return <p className="small quiet">Nothing has been said yet. Messages appear here.</p>;
  return (
    <ol className={caseStyles.messages} aria-label={label}>
      {spoken.map(({ eventId, kind, at, by, byStaff, words, party }) => (
        <li key={eventId} data-out={byStaff || undefined}>
          <span className={caseStyles.initials} aria-hidden="true">
            {initialsOf(by ?? 'System')}
          </span>
          <div>
            <p className={caseStyles.messageHead}>
              <b>{by ?? 'The registry’s rules'}</b>
              <span>
                {(eventWords[kind] ?? kind).replace(/ (by|from)$/, '')}
                {byStaff && hasTwoParties && said.includes(kind) && ` to ${party ?? 'both parties'}`}
              </span>
              <DateText value={at} />
            </p>
            <p className={caseStyles.messageWords}>{words}</p>
          </div>
        </li>
      ))}
    </ol>
  );
}
