import { useAccount, useChange, useKit, useRefusal } from '@portal/app-kit';
import { heldMarks, objectWords } from '@portal/app-kit/words/planned-effects';
import { type ResourceRequestDetail, requests } from '@portal/contract/requests/requests';
import { objectInWords } from '@portal/contract/requests/request-words';
import { Button, DateText, formatCount, Sheet, StateMark } from '@portal/ui';
import styles from './Requests.module.css';

/** Objects that a completed transfer handed over for a time, for both parties; the recipient keeps those it still needs. */
export function HeldSheet({ request: { held, requestId, role } }: { request: ResourceRequestDetail }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const refusal = useRefusal(requests.keepHeld);
  const keep = useChange(requests.keepHeld, {
    refresh: [requests.getRequest],
    onDone: () => notify({ text: 'Kept. It no longer ends.' }),
  });
  if (held.length === 0) return null;
  const open = held.filter(({ state }) => state === 'held');
  const isRecipient = role === 'recipient';
  return (
    <Sheet
      title="Held for a time"
      meta={open.length === 0 ? 'Settled' : `${formatCount(open.length)} of ${formatCount(held.length)} still held`}
      flush
      actions={
        isRecipient && open.length > 1 ? (
          <Button
            size="s"
            busy={keep.isPending}
            refusal={refusal}
            onClick={() => keep.mutate({ account, requestId, body: { heldIds: open.map(({ heldId }) => heldId) } })}
          >
            Keep all
          </Button>
        ) : undefined
      }
    >
      <ul className={styles.list} aria-label="Held for a time">
        {held.map(({ heldId, what, name, endsOn, state }) => (
          <li key={heldId}>
            <div>
              <div className="mono">{objectInWords(name)}</div>
              <div className="small quiet">
                {objectWords[what]}
                {state === 'held' && (
                  <>
                    , ends on <DateText value={endsOn} shape="date" /> unless {isRecipient ? 'you keep' : 'the recipient keeps'} it
                  </>
                )}
              </div>
            </div>
            {state === 'held' && isRecipient ? (
              <Button
                size="s"
                aria-label={`Keep ${objectInWords(name)}`}
                busy={keep.isPending}
                refusal={refusal}
                onClick={() => keep.mutate({ account, requestId, body: { heldIds: [heldId] } })}
              >
                Keep
              </Button>
            ) : (
              <StateMark state={heldMarks[state].state}>{heldMarks[state].words}</StateMark>
            )}
          </li>
        ))}
      </ul>
    </Sheet>
  );
}
