import { Page, useAddress, useSteadyAnswer } from '@portal/app-kit';
import { pages } from '@portal/contract/pages';
import { queueNamed, ticketQueues, ticketStates } from '@portal/contract/tickets/queues';
import { type TicketRow, tickets } from '@portal/contract/tickets/tickets';
import { DateText, EmptyState, Link, Row, SearchInput, Segmented, Select, Sheet, StateMark } from '@portal/ui';
import { type Column, DataTable, emptyTableState } from '@portal/ui/table/DataTable';
import { lazy, useState } from 'react';
import { ticketStyles as styles } from '@portal/app-kit/tickets/ticket-styles';

const TicketView = lazy(() => import('./TicketView.tsx').then(module => ({ default: module.TicketView })));

/** Tickets of all members: a list, or one of them, as the address says. */
export default function TicketsPage() {
  const ticket = useAddress().get('ticket');
  return ticket === null ? <TicketList /> : <TicketView key={ticket} ticketId={ticket} />;
}

const pageSize = 20;
const states = ['open', 'closed', 'all'] as const;

const columns: Column<TicketRow>[] = [
  {
    id: 'subject',
    label: 'Subject',
    card: 'key',
    fixed: true,
    wrap: true,
    cell: ({ ticketId, subject, unread }) => (
      <Link href={`${pages.deskTickets.path}?ticket=${ticketId}`} className={unread ? styles.unread : undefined}>
        {subject}
      </Link>
    ),
    text: ({ subject }) => subject,
  },
  { id: 'number', label: 'Number', fixed: true, look: 'mono', cell: ({ ticketId }) => ticketId },
  { id: 'queue', label: 'Queue', fixed: true, wrap: true, cell: ({ queue }) => ticketQueues[queue].label },
  { id: 'account', label: 'Account', fixed: true, cell: ({ accountName }) => accountName ?? <span className="quiet">none</span> },
  { id: 'from', label: 'Opened by', fixed: true, wrap: true, cell: ({ requestor }) => <bdi>{requestor}</bdi> },
  {
    id: 'state',
    label: 'State',
    fixed: true,
    card: 'state',
    cell: ({ state }) => (
      <StateMark state={state === 'new' || state === 'open' ? 'pending' : state === 'stalled' ? 'info' : 'closed'}>
        {state === 'stalled' ? 'Waiting for the member' : ticketStates[state]}
      </StateMark>
    ),
  },
  { id: 'since', label: 'Since', fixed: true, cell: ({ waitingSince }) => <DateText value={waitingSince} /> },
];

const hours = (minutes: number | null): string =>
  minutes === null ? '' : minutes < 90 ? `, answered in ${minutes} min` : `, answered in ${Math.round(minutes / 60)} h`;

function TicketList() {
  const address = useAddress();
  const state = address.oneOf('state', states);
  const queue = queueNamed(address.get('queue') ?? '');
  const q = address.get('q') ?? '';
  const [typed, setTyped] = useState(q);
  const asked = Number(address.get('page'));
  const page = Number.isInteger(asked) && asked > 0 ? asked : 1;
  const { answer, stale } = useSteadyAnswer(tickets.listStaffTickets, {
    query: { ...(queue && { queue }), state, q, offset: (page - 1) * pageSize, limit: pageSize },
  });
  return (
    <Page title={pages.deskTickets.title} sub="Tickets that wait for the registry come first, the longest wait on top.">
      <Sheet flush aria-label="Tickets">
        <Row wrap gap={8} className={styles.tools}>
          <SearchInput
            label="Find a ticket"
            placeholder="Subject, number, account or person"
            value={typed}
            onChange={value => {
              setTyped(value);
              address.set({ q: value.trim() || null, page: null });
            }}
          />
          <Segmented
            label="State"
            value={state}
            options={[
              { value: 'open', label: 'Open' },
              { value: 'closed', label: 'Closed' },
              { value: 'all', label: 'All' },
            ]}
            onChange={value => address.set({ state: value === 'open' ? null : value, page: null })}
          />
          <Select
            aria-label="Queue"
            value={queue ?? ''}
            options={[
              { value: '', label: 'All queues' },
              ...answer.queues.map(each => ({
                value: each.queue,
                label: `${ticketQueues[each.queue].label} (${each.waiting} with us${hours(each.medianAnswerMinutes)})`,
              })),
            ]}
            onChange={event => address.set({ queue: event.target.value || null, page: null })}
          />
        </Row>
        <DataTable
          caption="Tickets"
          columns={columns}
          rows={answer.rows}
          rowId={({ ticketId }) => ticketId}
          state={{ ...emptyTableState, page }}
          onStateChange={next => address.set({ page: next.page > 1 ? String(next.page) : null }, { step: true })}
          total={answer.total}
          pageSize={pageSize}
          loading={stale}
          empty={
            <EmptyState title="No tickets" picture={false}>
              New tickets appear here as soon as a member writes.
            </EmptyState>
          }
        />
      </Sheet>
    </Page>
  );
}
