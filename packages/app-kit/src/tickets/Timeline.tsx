import type { TicketMessage } from '@portal/contract/tickets/tickets';
import { DateText, StateMark } from '@portal/ui';
import type { ReactNode } from 'react';
import styles from './Tickets.module.css';

/** The messages of a ticket, oldest first, with what happened between them. New ones are read out as they arrive. */
export function Timeline({ messages, files }: { messages: readonly TicketMessage[]; files: (message: TicketMessage) => ReactNode }) {
  return (
    <div role="log" aria-label="Messages, oldest first">
      {messages.map(message =>
        message.kind === 'event' ? (
          <p key={message.messageId} className={styles.event}>
            <span>
              {message.text} by <bdi>{message.by === 'staff' ? 'the registry' : message.author}</bdi>, <DateText value={message.at} />
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
                <span className="quiet">
                  {message.kind === 'comment' ? 'Comment, registry staff only' : message.by === 'staff' ? 'Registry' : ''}
                  {message.byMail && ' by e-mail'}
                </span>
                <DateText value={message.at} />
              </p>
              <div className={styles.words} dir="auto">
                {message.text}
              </div>
              {files(message)}
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
