import { Page, useAddress, useSteadyAnswer } from '@portal/app-kit';
import { useLive } from '@portal/app-kit/calls/live';
import { later } from '@portal/app-kit/page/later';
import { useTablePage } from '@portal/app-kit/place/table-page';
import { TicketTools } from '@portal/app-kit/tickets/TicketTools';
import { ticketStyles as styles } from '@portal/app-kit/tickets/ticket-styles';
import { pages } from '@portal/contract/pages';
import { ticketQueues } from '@portal/contract/tickets/queues';
import { ticketOwners, type TicketRow, tickets } from '@portal/contract/tickets/tickets';
import { Badge, DateText, EmptyState, formatCount, Link, Select, Sheet, StateMark } from '@portal/ui';
import { type Column, DataTable } from '@portal/ui/table/DataTable';
import { toSearch, useDeskKeys } from '../shell/cases/desk-keys.ts';
import { ticketStateOf } from '../shell/cases/state-words.ts';
import { useTicketFilters } from './ticket-filters.ts';

const TicketView = later(() => import('./TicketView.tsx'), 'TicketView');

/** Tickets of all members: a list, or one of them, as the address says. */
export default function TicketsPage() {
  const ticket = useAddress().get('ticket');
  return ticket === null ? <TicketList /> : <TicketView key={ticket} ticketId={ticket} />;
}

const ownerLabels: Record<(typeof ticketOwners)[number], string> = { any: 'Anyone’s', mine: 'Mine', none: 'Unassigned' };

const columnsOf = (hrefOf: (ticketId: string) => string): Column<TicketRow>[] => [
  {
    id: 'subject',
    label: 'Subject',
    card: 'key',
    fixed: true,
    wrap: true,
    cell: ({ ticketId, subject, unread, isTalk }) => (
      <>
        <Link href={hrefOf(ticketId)} className={unread ? styles.unread : undefined}>
          {subject}
        </Link>
        {isTalk && <Badge>Talk to us</Badge>}
      </>
    ),
    text: ({ subject }) => subject,
  },
  { id: 'number', label: 'Number', fixed: true, look: 'mono', cell: ({ ticketId }) => ticketId },
  { id: 'queue', label: 'Queue', fixed: true, wrap: true, cell: ({ queue }) => ticketQueues[queue].label },
  { id: 'account', label: 'Account', fixed: true, cell: ({ accountName }) => accountName ?? <span className="quiet">none</span> },
  {
    id: 'from',
    label: 'Opened by',
    fixed: true,
    wrap: true,
    cell: ({ fromRegistry, requestor }) => (
      <>
        {fromRegistry && 'The registry, to '}
        <bdi>{requestor}</bdi>
      </>
    ),
  },
  {
    id: 'state',
    label: 'State',
    fixed: true,
    card: 'state',
    cell: ({ state }) => <StateMark state={ticketStateOf(state).state}>{ticketStateOf(state).words}</StateMark>,
  },
  { id: 'since', label: 'Since', fixed: true, cell: ({ waitingSince }) => <DateText value={waitingSince} /> },
];

const hours = (minutes: number | null): string =>
  minutes === null ? '' : minutes < 90 ? `, answered in ${minutes} min` : `, answered in ${Math.round(minutes / 60)} h`;

function TicketList() {
  const address = useAddress();
  const { queue, owner, query: filters, hrefOf } = useTicketFilters();
  const { query, table } = useTablePage(20);
  const { answer, stale } = useSteadyAnswer(tickets.listStaffTickets, {
    query: { ...filters, ...query },
  });
  useLive('ticket', [tickets.listStaffTickets]);
  const to = (row: Pick<TicketRow, 'ticketId'> | undefined) => row && address.go(hrefOf(row.ticketId));
  useDeskKeys({ j: answer.rows[0] ? () => to(answer.rows[0]) : null, s: toSearch }, { j: 'Open the first ticket', s: 'Search this list' });
  return (
    <Page
      title={pages.deskTickets.title}
      sub="Tickets that wait for the registry come first, the longest wait on top. The key j opens the first one, and then moves through the list."
    >
      <Sheet flush aria-label="Tickets">
        <TicketTools placeholder="Subject, number, account or person">
          <Select
            size="s"
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
          <Select
            size="s"
            aria-label="Who has it"
            value={owner}
            options={ticketOwners.map(value => ({ value, label: `${ownerLabels[value]} (${formatCount(answer.owners[value])})` }))}
            onChange={event => address.set({ owner: event.target.value === 'any' ? null : event.target.value, page: null })}
          />
        </TicketTools>
        <DataTable
          caption="Tickets"
          columns={columnsOf(hrefOf)}
          rows={answer.rows}
          rowId={({ ticketId }) => ticketId}
          {...table}
          total={answer.total}
          loading={stale}
          onOpen={to}
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
