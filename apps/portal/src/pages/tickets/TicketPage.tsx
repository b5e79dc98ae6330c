import { isRowId } from '@portal/contract/row-ids';
import { later } from '@portal/app-kit/page/later';
import { Page, reading, useChange, useKit, usePlace } from '@portal/app-kit';
import { useLive } from '@portal/app-kit/calls/live';
import { DocumentList } from '@portal/app-kit/documents/DocumentList';
import { type AddressOfThing, pageOfThing } from '@portal/app-kit/tickets/MessageText';
import { ticketStyles } from '@portal/app-kit/tickets/ticket-styles';
import { Timeline } from '@portal/app-kit/tickets/Timeline';
import { MINUTE_MS } from '@portal/contract/days';
import { findPage, pages } from '@portal/contract/pages';
import { queueNamed, ticketQueues } from '@portal/contract/tickets/queues';
import { type Ticket, type TicketContext, tickets } from '@portal/contract/tickets/tickets';
import { Icon, KeyValueList, Link, LinkButton, Sheet } from '@portal/ui';
import { usePrefetchQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { AnswerBars } from './AnswerBars.tsx';
import { LinkedThings } from './LinkedThings.tsx';
import { MoveLanes } from './MoveLanes.tsx';
import styles from './Ticket.module.css';
import { NextMove, TicketHead } from './TicketHead.tsx';
import { TicketList } from './TicketList.tsx';
import { TicketReply } from './TicketReply.tsx';
import { exactSpan } from './ticket-words.ts';

const NotFoundPage = later(() => import('../NotFoundPage.tsx'), 'default');
/** Answers to a ticket on the screen appear immediately for the people in it, and within this time for everyone else. */
const againMs = 15_000;
const refresh = [tickets.getTicket, tickets.getTicketContext, tickets.listTickets];

/** `/contact/{queue}/ticket/{ticketId}`: one ticket beside the others, with live answers, what surrounds it, and the reply form. */
export default function TicketPage() {
  const { product } = useKit().environment;
  const { queue, ticketId } = findPage(usePlace().path, product).params;
  if (queueNamed(queue ?? '') === null || !isRowId(ticketId ?? '')) return <NotFoundPage />;
  return <OneTicket key={ticketId} ticketId={ticketId!} />;
}

function OneTicket({ ticketId }: { ticketId: string }) {
  const { call } = useKit();
  const surroundings = reading(call, tickets.getTicketContext, { ticketId });
  // Requested together: what surrounds the ticket would wait for it.
  usePrefetchQuery(surroundings);
  const { data: ticket, dataUpdatedAt: now } = useSuspenseQuery({
    ...reading(call, tickets.getTicket, { ticketId }),
    refetchInterval: againMs,
  });
  const { data: context } = useSuspenseQuery({ ...surroundings, refetchInterval: againMs });
  useLive('ticket', refresh, ticketId);
  const { mutate: markRead } = useChange(tickets.readTicket, { refresh: [tickets.listTickets] });
  const latest = ticket.messages.at(-1)?.messageId;
  const { unread } = ticket;
  useEffect(() => {
    if (unread) markRead({ ticketId });
  }, [unread, latest, ticketId, markRead]);
  const { queue, subject, accountName, minutesWithUs, minutesWithYou } = ticket;
  const list = pages.tickets.path.replace('{queue}', queue);
  const addressOf: AddressOfThing = thing =>
    context.links.find(link => link.text.toLowerCase() === thing.text.toLowerCase())?.link ?? pageOfThing(thing);
  const first = ticket.firstAnswerAt;
  const firstAnswer = first && ticket.messages.find(({ kind, by, at }) => kind === 'message' && by === 'staff' && at >= first);
  return (
    <Page
      title={`${ticketId} ${subject}`}
      heading={pages.tickets.title}
      sub={
        accountName
          ? `${accountName}’s contacts with the permission for ${ticketQueues[queue].short} tickets see these. Replies by e-mail arrive here too.`
          : 'Only you see tickets of your own. Replies by e-mail arrive here too.'
      }
      breadcrumb={
        <Link href={list} className={styles.back}>
          <Icon name="chevron-left" />
          All tickets
        </Link>
      }
      actions={
        <LinkButton href={`${list}?new=1`} icon="plus">
          New ticket
        </LinkButton>
      }
    >
      <div className={styles.panes}>
        <TicketList ticketId={ticketId} now={now} />
        <Sheet flush aria-label="Messages">
          <TicketHead ticket={ticket} colleagues={context.colleagues} addressOf={addressOf} />
          <NextMove ticket={ticket} now={now} />
          <MoveLanes moves={context.moves} now={now} minutesWithUs={minutesWithUs} minutesWithYou={minutesWithYou} />
          <Timeline
            messages={ticket.messages}
            addressOf={addressOf}
            files={message =>
              message.files.length > 0 && (
                <DocumentList papers={message.files} opens={tickets.openTicketFile} inputOf={documentId => ({ ticketId, documentId })} />
              )
            }
            note={message =>
              message === firstAnswer && (
                <p className={ticketStyles.note}>
                  First answer after {exactSpan(Math.round((Date.parse(message.at) - Date.parse(ticket.createdAt)) / MINUTE_MS))}
                </p>
              )
            }
          />
          <TicketReply ticket={ticket} now={now} />
        </Sheet>
        <div className={styles.rail}>
          <LinkedThings ticketId={ticketId} links={context.links} writable={ticket.writable} />
          <AnswerBars {...context} />
          <People ticket={ticket} context={context} />
        </div>
      </div>
    </Page>
  );
}

function People({
  ticket: { ticketId, fromRegistry, requestor, cc },
  context: { owner, readers },
}: {
  ticket: Ticket;
  context: TicketContext;
}) {
  return (
    <Sheet title="People">
      <div className={styles.small}>
        <KeyValueList
          items={[
            ...(fromRegistry ? [{ key: 'Opened by', value: 'The registry' }] : []),
            { key: fromRegistry ? 'Written to' : 'Opened by', value: <bdi>{requestor}</bdi> },
            ...(cc.length > 0 ? [{ key: 'Copied in', value: cc.map(({ name }) => name).join(', ') }] : []),
            { key: 'Handled by', value: owner ?? 'Unassigned' },
            { key: 'Who can see it', value: readers === null ? 'Only you' : `${readers} ${readers === 1 ? 'contact' : 'contacts'}` },
          ]}
        />
        <p className="quiet">
          By e-mail: keep <span className="mono nw">[registry #{ticketId}]</span> in the subject.
        </p>
      </div>
    </Sheet>
  );
}
