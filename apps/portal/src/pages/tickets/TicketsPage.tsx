import { later } from '@portal/app-kit/page/later';
import { Page, useAddress, useKit, usePlace, useSession, useSteadyAnswer } from '@portal/app-kit';
import { findPage, pages } from '@portal/contract/pages';
import { queueNamed, ticketQueueNames, ticketQueues, type TicketQueue, isTicketOver } from '@portal/contract/tickets/queues';
import { tickets, type TicketRow } from '@portal/contract/tickets/tickets';
import { Button, DateText, EmptyState, formatCount, Link, Select, Sheet, Stack, StateMark } from '@portal/ui';
import { type Column, DataTable } from '@portal/ui/table/DataTable';
import { ticketFilters, TicketTools } from '@portal/app-kit/tickets/TicketTools';
import { useTablePage } from '@portal/app-kit/place/table-page';
import { ticketStyles as styles } from '@portal/app-kit/tickets/ticket-styles';
import { useRef } from 'react';
import { sinceInWords, spanOf, stateMark } from './ticket-words.ts';

const NotFoundPage = later(() => import('../NotFoundPage.tsx'), 'default');
const NewTicket = later(() => import('./NewTicket.tsx'), 'NewTicket');

/** `/contact/{queue}/rt-tickets`: tickets of the account and the person, and a form for a new one. */
export default function TicketsPage() {
  const { product } = useKit().environment;
  const { account } = useSession();
  const queue = queueNamed(findPage(usePlace().path, product).params['queue'] ?? '');
  if (queue === null) return <NotFoundPage />;
  return (
    <Tickets
      key={`${account?.accountName ?? ''} ${queue}`}
      queue={queue}
      account={account?.asStaff ? null : (account?.accountName ?? null)}
    />
  );
}

const pathOf = (queue: TicketQueue): string => pages.tickets.path.replace('{queue}', queue);
/** The queue whose address is that of the page in the navigation: without one chosen, all queues are listed there. */
const [FIRST_QUEUE] = ticketQueueNames;

const columns: Column<TicketRow>[] = [
  {
    id: 'subject',
    label: 'Subject',
    card: 'key',
    fixed: true,
    wrap: true,
    cell: ({ ticketId, queue, subject, unread }) => (
      <Link href={`/contact/${queue}/ticket/${ticketId}`} className={unread ? styles.unread : undefined}>
        {subject}
        {unread && <span className="vh">, unread</span>}
      </Link>
    ),
    text: ({ subject }) => subject,
  },
  { id: 'number', label: 'Number', fixed: true, look: 'mono', cell: ({ ticketId }) => ticketId },
  {
    id: 'state',
    label: 'State',
    fixed: true,
    card: 'state',
    cell: ({ state }) => <StateMark state={stateMark(state).state}>{stateMark(state).words}</StateMark>,
    text: ({ state }) => stateMark(state).words,
  },
  {
    id: 'since',
    label: 'For',
    fixed: true,
    cell: ({ state, waitingSince }) => (isTicketOver(state) ? '' : sinceInWords(waitingSince, Date.now())),
  },
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
  { id: 'updated', label: 'Last change', fixed: true, cell: ({ updatedAt }) => <DateText value={updatedAt} /> },
];

function Tickets({ queue, account }: { queue: TicketQueue; account: string | null }) {
  const address = useAddress();
  const state = address.oneOf('state', ticketFilters);
  const q = address.get('q') ?? '';
  const { query, table } = useTablePage(20);
  const named = address.get('queue');
  const everything = named === 'all' || (queue === FIRST_QUEUE && named !== FIRST_QUEUE);
  const { answer, stale } = useSteadyAnswer(tickets.listTickets, {
    query: { ...(account && { account }), ...(!everything && { queue }), state, q, ...query },
  });
  const isWriting = address.get('new') !== null;
  // The button is rendered again when the form closes, so it has to be found again.
  const closed = useRef(false);
  const close = () => {
    closed.current = true;
    address.set({ new: null, about: null, subject: null });
  };
  const { medianAnswerMinutes: median, writes } = answer;
  return (
    <Page
      title={pages.tickets.title}
      heading={everything ? pages.tickets.title : `${pages.tickets.title}: ${ticketQueues[queue].label}`}
      sub={`${everything ? 'Questions about anything, in all queues.' : ticketQueues[queue].words} We answer here and by e-mail.${median === null ? '' : ` Half of the tickets get a first answer within ${spanOf(median)}.`}`}
      actions={
        !isWriting && (
          <Button
            ref={button => {
              if (!closed.current || !button) return;
              closed.current = false;
              button.focus();
            }}
            variant="primary"
            icon="plus"
            onClick={() => address.set({ new: '1' }, { step: 'in-place' })}
          >
            New ticket
          </Button>
        )
      }
    >
      <Stack gap={16}>
        {isWriting && <NewTicket queue={queue} account={account} writes={writes} onClose={close} />}
        <Sheet flush aria-label="Tickets">
          <TicketTools placeholder="Subject, number or person">
            <Select
              size="s"
              aria-label="Queue"
              value={everything ? 'all' : queue}
              options={[
                { value: 'all', label: 'All queues' },
                ...ticketQueueNames.map(name => ({ value: name, label: ticketQueues[name].label })),
              ]}
              onChange={event => {
                const chosen = queueNamed(event.target.value);
                if (chosen === FIRST_QUEUE) address.go(`${pathOf(chosen)}?queue=${chosen}`);
                else address.go(pathOf(chosen ?? FIRST_QUEUE));
              }}
            />
          </TicketTools>
          <DataTable
            caption="Tickets, last changed first"
            columns={columns}
            rows={answer.rows}
            rowId={({ ticketId }) => ticketId}
            {...table}
            total={answer.total}
            loading={stale}
            empty={
              !q && !everything ? (
                <EmptyQueue account={account} state={state} queue={queue} />
              ) : (
                <EmptyState
                  title={q ? `No ticket matches “${q}”` : state === 'open' ? 'No open tickets' : 'No tickets yet'}
                  picture={false}
                >
                  {q ? 'Try another word, or search all states.' : 'What you write to the registry appears here, with its answers.'}
                </EmptyState>
              )
            }
          />
        </Sheet>
      </Stack>
    </Page>
  );
}

/** Says of a queue without tickets how many the others have. */
function EmptyQueue({ account, state, queue }: { account: string | null; state: (typeof ticketFilters)[number]; queue: TicketQueue }) {
  const { answer } = useSteadyAnswer(tickets.listTickets, { query: { ...(account && { account }), state, q: '', offset: 0, limit: 1 } });
  const kind = state === 'all' ? '' : `${state} `;
  return (
    <EmptyState title={`No ${kind}tickets in ${ticketQueues[queue].label}`} picture={false}>
      {answer.total === 0 ? (
        'What you write to the registry appears here, with its answers.'
      ) : (
        <Link href={pathOf(FIRST_QUEUE)}>
          {formatCount(answer.total)} {kind}
          {answer.total === 1 ? 'ticket' : 'tickets'} in other queues
        </Link>
      )}
    </EmptyState>
  );
}
