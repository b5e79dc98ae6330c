import { useAddress, usePlace, useSession, useSteadyAnswer } from '@portal/app-kit';
import { ticketFilters, TicketTools } from '@portal/app-kit/tickets/TicketTools';
import { queueNamed, ticketQueueNames, ticketQueues } from '@portal/contract/tickets/queues';
import { type TicketRow, tickets } from '@portal/contract/tickets/tickets';
import { Button, DateText, EmptyState, formatCount, Icon, Link, Select, Sheet } from '@portal/ui';
import styles from './Ticket.module.css';
import { sinceInWords, turnOf } from './ticket-words.ts';

const PAGE = 10;

/** Tickets beside the one that is read, with the filters in the address. A ticket is opened with them. */
export function TicketList({ ticketId, now }: { ticketId: string; now: number }) {
  const { account } = useSession();
  const { search } = usePlace();
  const address = useAddress();
  const state = address.oneOf('state', ticketFilters);
  const queue = queueNamed(address.get('queue') ?? '');
  const q = address.get('q') ?? '';
  const page = Math.max(1, Number.parseInt(address.get('page') ?? '1', 10) || 1);
  const { answer, stale } = useSteadyAnswer(tickets.listTickets, {
    query: {
      ...(account && !account.asStaff && { account: account.accountName }),
      ...(queue && { queue }),
      state,
      q,
      offset: (page - 1) * PAGE,
      limit: PAGE,
    },
  });
  const { rows, total } = answer;
  const last = Math.max(1, Math.ceil(total / PAGE));
  const go = (to: number) => address.set({ page: to === 1 ? null : String(to) });
  return (
    <Sheet flush aria-label="Tickets" className={styles.list} aria-busy={stale || undefined}>
      <div className={styles.tools}>
        <TicketTools placeholder="Subject, number or person" isPlain>
          <Select
            size="s"
            aria-label="Queue"
            value={queue ?? ''}
            options={[
              { value: '', label: 'Any queue' },
              ...ticketQueueNames.map(name => ({ value: name, label: ticketQueues[name].label })),
            ]}
            onChange={event => address.set({ queue: event.target.value || null, page: null })}
          />
        </TicketTools>
      </div>
      {rows.length === 0 ? (
        <EmptyState title={q ? `No ticket matches “${q}”` : 'No tickets here'} picture={false}>
          {q ? 'Try another word, or search all states.' : 'Choose another state or queue.'}
        </EmptyState>
      ) : (
        <ul className={styles.rows}>
          {rows.map(row => (
            <li key={row.ticketId}>
              <Line row={row} search={search} isOpen={row.ticketId === ticketId} now={now} />
            </li>
          ))}
        </ul>
      )}
      <div className={styles.pager}>
        <span>{total === 0 ? 'None' : `${(page - 1) * PAGE + 1} to ${Math.min(total, page * PAGE)} of ${formatCount(total)}`}</span>
        {last > 1 && (
          <span>
            <Button size="s" icon="chevron-left" aria-label="Previous tickets" busy={page === 1} onClick={() => go(page - 1)} />{' '}
            <Button size="s" icon="chevron-right" aria-label="Next tickets" busy={page >= last} onClick={() => go(page + 1)} />
          </span>
        )}
      </div>
    </Sheet>
  );
}

function Line({ row, search, isOpen, now }: { row: TicketRow; search: string; isOpen: boolean; now: number }) {
  const { ticketId, queue, subject, unread, updatedAt, waitingSince, state } = row;
  const { who, words, icon } = turnOf(state);
  return (
    <Link href={`/contact/${queue}/ticket/${ticketId}${search}`} className={styles.row} aria-current={isOpen ? 'true' : undefined}>
      <span className={styles.subject}>
        {unread && (
          <i className={styles.dot}>
            <span className="vh">unread </span>
          </i>
        )}
        <bdi>{subject}</bdi>
      </span>
      <span className={styles.line}>
        <span className="mono">{ticketId}</span>
        <span>{ticketQueues[queue].short}</span>
        <DateText value={updatedAt} shape="date" />
      </span>
      <span className={styles.line}>
        <span className={styles.turn} data-who={who}>
          <Icon name={icon} />
          {words}
        </span>
        <span>{who === 'none' ? '' : `for ${sinceInWords(waitingSince, now)}`}</span>
      </span>
    </Link>
  );
}
