import { useChange, useKit } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { type TicketContext, type TicketLink, tickets } from '@portal/contract/tickets/tickets';
import { Button, ButtonRow, Field, Link, ResourceName, Sheet, StateMark, TextInput } from '@portal/ui';
import { useEffect, useRef, useState } from 'react';
import styles from './Ticket.module.css';

const refresh = [tickets.getTicket, tickets.getTicketContext];

/** Things that a ticket is linked to, with their states now. Messages link what they name; a person adds and removes the rest. */
export function LinkedThings({ ticketId, links, writable }: { ticketId: string; links: TicketContext['links']; writable: boolean }) {
  const [isAdding, setAdding] = useState(false);
  const { notify } = useKit();
  const unlink = useChange(tickets.linkTicket, {
    refresh,
    onDone: (_, { body }) => notify({ text: `The link to ${body.about} is removed.` }),
  });
  return (
    <Sheet
      flush
      title="Linked to"
      actions={
        writable && (
          <Button size="s" variant="quiet" icon="plus" aria-expanded={isAdding} onClick={() => setAdding(!isAdding)}>
            Link
          </Button>
        )
      }
    >
      {links.length === 0 && !isAdding && (
        <p className={`${styles.form} ${styles.small} quiet`}>
          Prefixes, AS numbers, invoices and requests that messages name appear here.
        </p>
      )}
      {links.length > 0 && (
        <ul className={styles.links}>
          {links.map(link => (
            <li key={link.text}>
              <Name link={link} />
              {link.mark && <StateMark state={link.mark.state}>{link.mark.words}</StateMark>}
              <small>{link.words}</small>
              {writable && link.isManual && (
                <Button
                  size="s"
                  variant="quiet"
                  icon="close"
                  aria-label={`Remove the link to ${link.text}`}
                  busy={unlink.isPending}
                  onClick={() => unlink.mutate({ ticketId, body: { about: link.text, linked: false } })}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {isAdding && <AddLink ticketId={ticketId} onClose={() => setAdding(false)} />}
    </Sheet>
  );
}

function Name({ link: { kind, text, link } }: { link: TicketLink }) {
  if (kind === 'prefix' || kind === 'asn')
    return <ResourceName kind={kind === 'asn' ? 'asn' : text.includes(':') ? 'ipv6' : 'ipv4'} text={text} href={link ?? undefined} />;
  return link === null ? (
    <span className="mono">{text}</span>
  ) : (
    <Link href={link} className="mono">
      {text}
    </Link>
  );
}

function AddLink({ ticketId, onClose }: { ticketId: string; onClose: () => void }) {
  const { notify } = useKit();
  const add = useChange(tickets.linkTicket, {
    refresh,
    showsErrors: true,
    onDone: (_, { body }) => {
      notify({ text: `The ticket is linked to ${body.about}.` });
      onClose();
    },
  });
  const form = useForm(
    tickets.linkTicket.body,
    { about: '' },
    {
      name: 'ticket-link',
      toBody: ({ about }) => ({ about, linked: true }),
      ifEmpty: { about: 'Enter a prefix, an AS number, an invoice or a request' },
      fieldOfCode: { NOTHING_TO_DO: 'about', TOO_MANY_LINKS: 'about' },
      change: add,
      send: body => add.mutate({ ticketId, body }),
    },
  );
  const field = useRef<HTMLInputElement>(null);
  // The person pressed the button to type here.
  useEffect(() => field.current?.focus(), []);
  return (
    <div className={styles.form}>
      <Form form={form} label="Link" onClose={onClose}>
        <Field label="Link to" help="Such as 198.51.100.0/24, AS64500, INV-2026-000388 or REQ-12." {...form.field('about')}>
          <TextInput mono spellCheck={false} ref={field} {...form.input('about')} />
        </Field>
        <ButtonRow>
          <Button type="submit" size="s" variant="primary" busy={form.busy}>
            Add the link
          </Button>
          <Button size="s" onClick={onClose}>
            Cancel
          </Button>
        </ButtonRow>
      </Form>
    </div>
  );
}
