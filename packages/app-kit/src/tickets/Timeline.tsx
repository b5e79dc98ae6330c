import type { TicketMessage } from '@portal/contract/tickets/tickets';
import { DateText, Icon, StateMark } from '@portal/ui';
import type { ReactNode } from 'react';
import { type AddressOfThing, LinkedText, MessageText } from './MessageText.tsx';
import styles from './Tickets.module.css';

const typeWords = { corporate: 'Corporate contact', billing: 'Billing contact', technical: 'Technical contact' };

/** Returns the role of the author of a message, shown beside the name. */
function roleOf({ kind, by, contactTypes: [first, ...others] }: TicketMessage): string {
  if (kind === 'comment') return 'Registry staff only';
  if (by === 'staff') return 'Registry';
  return first === undefined ? '' : [typeWords[first], ...others].join(', ');
}

/** The messages of a ticket, oldest first, with what happened between them. New ones are read out as they arrive. */
export function Timeline({
  messages,
  addressOf,
  files,
  note,
  label = 'Messages, oldest first',
}: {
  messages: readonly TicketMessage[];
  /** The page of what a message names. */
  addressOf: AddressOfThing;
  files: (message: TicketMessage) => ReactNode;
  /** A line under a message. */
  note?: (message: TicketMessage) => ReactNode;
  label?: string;
}) {
  return (
    <div role="log" aria-label={label}>
      {messages.map(message =>
        message.kind === 'event' ? (
          <p key={message.messageId} className={styles.event}>
            <span>
              <LinkedText text={message.text} addressOf={addressOf} /> by{' '}
              <bdi>{message.by === 'staff' ? 'the registry' : message.author}</bdi>, <DateText value={message.at} />
            </span>
          </p>
        ) : (
          <article key={message.messageId} className={styles.message} data-by={message.kind === 'comment' ? 'comment' : message.by}>
            <div className={styles.person} aria-hidden="true">
              {message.author.slice(0, 1)}
            </div>
            <div>
              <p className={styles.head}>
                <b className="strong">
                  <bdi>{message.author}</bdi>
                </b>{' '}
                <span className="quiet">{roleOf(message)}</span>
                <DateText value={message.at} />
              </p>
              <MessageText text={message.text} addressOf={addressOf} />
              {files(message)}
              {message.byMail && (
                <p className={styles.note}>
                  <Icon name="mail" /> Sent by e-mail
                  {message.senderUnverified && <StateMark state="warning">Sender not verified</StateMark>}
                </p>
              )}
              {note?.(message)}
              {message.delayed && (
                <p className="small">
                  <StateMark state="warning">Kept, not passed on yet</StateMark> Our ticket system can’t be reached. We pass the message on
                  automatically when it is back.
                </p>
              )}
            </div>
          </article>
        ),
      )}
    </div>
  );
}
