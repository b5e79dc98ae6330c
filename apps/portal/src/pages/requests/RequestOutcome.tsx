import type { AccessRequest } from '@portal/contract/contacts/access-requests';
import { DateText, StateMark } from '@portal/ui';
import { narrowedWords, outcomeWords } from './request-words.ts';
import styles from './RequestOutcome.module.css';

export function OutcomeMark({ request }: { request: AccessRequest }) {
  const words = outcomeWords(request);
  if (!words) return <StateMark state="pending">waits</StateMark>;
  const state = request.status === 'approved' ? 'valid' : request.status === 'rejected' ? 'invalid' : 'closed';
  return <StateMark state={state}>{words}</StateMark>;
}

/** How a request ended: who decided it, when, with which message. */
export function RequestOutcome({ request }: { request: AccessRequest }) {
  const narrowed = narrowedWords(request);
  return (
    <div className={styles.outcome}>
      <p>
        <OutcomeMark request={request} /> {request.resolvedBy && <>by {request.resolvedBy} </>}
        {request.resolvedAt && (
          <>
            on <DateText value={request.resolvedAt} />
          </>
        )}
        {narrowed && <>, {narrowed}</>}
      </p>
      {request.note && <blockquote>{request.note}</blockquote>}
    </div>
  );
}
