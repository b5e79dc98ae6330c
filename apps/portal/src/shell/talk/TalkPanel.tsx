import { useChange, useDraft } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { pageOfThing } from '@portal/app-kit/tickets/MessageText';
import { Timeline } from '@portal/app-kit/tickets/Timeline';
import { type Talk, talks } from '@portal/contract/tickets/talks';
import { tickets } from '@portal/contract/tickets/tickets';
import { Button, DateText, Field, Link, TextArea } from '@portal/ui';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { medianWords } from './talk-words.ts';
import styles from './Talk.module.css';

/** The conversation with support: messages, response times, and the input for the next one. It stays open while the person works on the page. */
export function TalkPanel({ talk, accountName, onClose }: { talk: Talk; accountName: string | null; onClose: () => void }) {
  const { ticket, writesFor } = talk;
  const panel = useRef<HTMLElement>(null);
  const log = useRef<HTMLDivElement>(null);
  const messages = ticket?.messages ?? [];
  const latest = messages.at(-1)?.messageId;
  const { mutate: markRead } = useChange(tickets.readTicket, { refresh: [talks.getTalk] });
  const ticketId = ticket?.ticketId;
  const unread = ticket?.unread ?? false;
  useEffect(() => {
    if (unread && ticketId) markRead({ ticketId });
  }, [unread, latest, ticketId, markRead]);
  useEffect(() => {
    log.current?.scrollTo({ top: log.current.scrollHeight });
  }, [latest]);
  useEffect(() => {
    panel.current?.querySelector('textarea')?.focus();
  }, []);
  const isOver = ticket?.state === 'resolved' || ticket?.state === 'rejected';
  const closeOnEscape = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') onClose();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/prefer-tag-over-role -- beside the page, not above it; Escape closes it, as the button does
    <section ref={panel} className={styles.panel} role="dialog" aria-label="Talk to us" onKeyDown={closeOnEscape}>
      <div className={styles.head}>
        <div>
          <h2>Talk to us</h2>
          <Away talk={talk} />
        </div>
        <Button variant="quiet" icon="close" aria-label="Close" onClick={onClose} />
      </div>
      <div ref={log} className={styles.log}>
        {ticket ? (
          <Timeline
            addressOf={pageOfThing}
            messages={messages}
            files={({ files }) => files.length > 0 && <FilesElsewhere ticket={ticket} onFollow={onClose} />}
          />
        ) : (
          <p className={styles.empty}>
            Write what you need. The conversation is kept as a ticket of {writesFor ?? 'your own'}, and you can leave this page at any time.
          </p>
        )}
      </div>
      <div className={styles.write}>
        {accountName !== null && writesFor === null && (
          <p className={styles.note}>
            You don’t have the permission to write for {accountName}, so this is between you and us. We can’t answer questions about the
            account in it.
          </p>
        )}
        {isOver && <p className={styles.note}>This conversation is solved. Your next message begins a new one.</p>}
        <Write accountName={accountName} />
        {ticket && (
          <p className={styles.note}>
            {/* Its page shows the same conversation, and the panel would lie over its buttons. */}
            <Link href={`/contact/${ticket.queue}/ticket/${ticket.ticketId}`} onClick={onClose}>
              Ticket {ticket.ticketId}
            </Link>
            , where you can attach files
            {isOver ? '' : ' and mark it as solved'}.
          </p>
        )}
      </div>
    </section>
  );
}

/** Shows whether support is staffed, and what to expect otherwise. */
function Away({ talk: { hours, medianAnswerMinutes } }: { talk: Talk }) {
  return (
    <p>
      {hours &&
        (hours.staffed ? (
          <>
            Support answers until <DateText value={hours.until} shape="day-time" />.{' '}
          </>
        ) : (
          <>
            Support is away until <DateText value={hours.until} shape="day-time" />. We’ll reply here and by e-mail.{' '}
          </>
        ))}
      {medianWords(medianAnswerMinutes)}
    </p>
  );
}

function FilesElsewhere({ ticket: { queue, ticketId }, onFollow }: { ticket: NonNullable<Talk['ticket']>; onFollow: () => void }) {
  return (
    <Link href={`/contact/${queue}/ticket/${ticketId}`} onClick={onFollow}>
      Files are in the ticket
    </Link>
  );
}

function Write({ accountName }: { accountName: string | null }) {
  const draft = useDraft(`talk:${accountName ?? ''}`, { text: '' });
  const send = useChange(talks.sendTalk, {
    refresh: [talks.getTalk, tickets.listTickets, tickets.getTicket],
    showsErrors: true,
    onDone: () => {
      form.reset();
      draft.discard();
    },
  });
  const form = useForm(
    talks.sendTalk.body,
    { text: '' },
    {
      name: 'talk',
      draft,
      toBody: values => ({ ...values, account: accountName }),
      ifEmpty: { text: 'Enter a message' },
      change: send,
      send: body => send.mutate({ body }),
    },
  );
  const sendOnEnter = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  };
  return (
    <Form form={form} label="Message to support">
      <Field label="Message" help="Enter to send, Shift+Enter for a new line." {...form.field('text')}>
        <TextArea rows={2} dir="auto" {...form.input('text')} onKeyDown={sendOnEnter} />
      </Field>
      <Button type="submit" variant="primary" busy={form.busy}>
        Send
      </Button>
    </Form>
  );
}
