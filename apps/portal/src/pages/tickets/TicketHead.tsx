import { useChange, useKit } from '@portal/app-kit';
import { type AddressOfThing, LinkedText } from '@portal/app-kit/tickets/MessageText';
import { DAY_MS, instantAfter } from '@portal/contract/days';
import { ticketDays, ticketQueues, isTicketOver } from '@portal/contract/tickets/queues';
import { type Ticket, type TicketContext, tickets } from '@portal/contract/tickets/tickets';
import { Button, DateText, Icon } from '@portal/ui';
import { useState } from 'react';
import { CopyPerson } from './CopyPerson.tsx';
import styles from './Ticket.module.css';
import { sinceInWords, turnOf } from './ticket-words.ts';

const refresh = [tickets.getTicket, tickets.getTicketContext, tickets.listTickets];

/** Number, queue, subject and people of a ticket, and its acts. */
export function TicketHead({
  ticket: { ticketId, queue, fromRegistry, requestor, createdAt, subject, cc, writable, state },
  colleagues,
  addressOf,
}: {
  ticket: Ticket;
  colleagues: TicketContext['colleagues'];
  addressOf: AddressOfThing;
}) {
  const { notify } = useKit();
  const [isAdding, setAdding] = useState(false);
  const close = useChange(tickets.closeTicket, { refresh, onDone: () => notify({ text: `Ticket ${ticketId} is marked as solved.` }) });
  const isOpen = !isTicketOver(state);
  return (
    <div className={styles.head}>
      <p className={styles.about}>
        <span className="mono">{ticketId}</span> · {ticketQueues[queue].label} · opened by{' '}
        {fromRegistry ? 'the registry' : <bdi>{requestor}</bdi>}, <DateText value={createdAt} shape="date" />
      </p>
      <h2>
        <LinkedText text={subject} addressOf={addressOf} />
      </h2>
      <div className={styles.people}>
        <span>
          <bdi>{requestor}</bdi>
          {cc.map(({ name, email }) => (
            <span key={email}>
              , <bdi>{name}</bdi>
            </span>
          ))}
          {cc.length > 0 && ' copied in'}
        </span>
        {writable && colleagues.length > 0 && (
          <Button size="s" variant="quiet" icon="plus" aria-expanded={isAdding} onClick={() => setAdding(!isAdding)}>
            Add a person
          </Button>
        )}
        <span>
          {writable && isOpen && (
            <Button size="s" busy={close.isPending} onClick={() => close.mutate({ ticketId })}>
              Mark as solved
            </Button>
          )}
        </span>
      </div>
      {isAdding && <CopyPerson ticketId={ticketId} colleagues={colleagues} onClose={() => setAdding(false)} />}
    </div>
  );
}

/** Who has the next move, since when, and what happens without it. */
export function NextMove({ ticket: { state, waitingSince, reopenableUntil, asks }, now }: { ticket: Ticket; now: number }) {
  const { words, icon, who } = turnOf(state);
  if (who === 'you') {
    const after = (days: number) => <DateText value={instantAfter(Date.parse(waitingSince), days * DAY_MS)} shape="date" />;
    return (
      <div className={styles.move} data-you>
        <Icon name={icon} />
        <b className="strong">Waiting for you: {asks ?? 'your answer'}</b>
        <p>
          Without a reply we remind you on {after(ticketDays.remind)} and mark the ticket as solved on {after(ticketDays.solve)}. You can
          reopen it for {ticketDays.reopen} days.
        </p>
      </div>
    );
  }
  return (
    <div className={styles.move}>
      <Icon name={icon} />
      <b className="strong">{who === 'us' ? `With us for ${sinceInWords(waitingSince, now)}` : words}</b>
      {who === 'us' && <p>The registry has the next move. You can add something at any time.</p>}
      {state === 'resolved' && reopenableUntil && (
        <p>
          Reply until <DateText value={reopenableUntil} shape="date" /> to reopen it.
        </p>
      )}
    </div>
  );
}
