import { Page, useAddress, useSteadyAnswer } from '@portal/app-kit';
import { deskEvents } from '@portal/contract/events/desk';
import { eventKinds, type StaffEvent } from '@portal/contract/events/event-shapes';
import { pages } from '@portal/contract/pages';
import { DateText, EmptyState, Link, LinkButton, Sheet, StateMark } from '@portal/ui';
import { type Column, DataTable, emptyTableState } from '@portal/ui/table/DataTable';
import { lazy } from 'react';
import { stateOf } from './event-state.ts';

const EventView = lazy(() => import('./EventView.tsx').then(module => ({ default: module.EventView })));
const EventForm = lazy(() => import('./EventForm.tsx').then(module => ({ default: module.EventForm })));

/** Events: a list, one of them, or its form, as the address says. */
export default function EventsPage() {
  const event = useAddress().get('event');
  if (event === 'new') return <EventForm />;
  return event === null ? <EventList /> : <EventView key={event} name={event} />;
}

const pageSize = 20;
const columns: Column<StaffEvent>[] = [
  {
    id: 'title',
    label: 'Event',
    card: 'key',
    fixed: true,
    wrap: true,
    cell: ({ event, title }) => <Link href={`${pages.deskEvents.path}?event=${event}`}>{title}</Link>,
    text: ({ title }) => title,
  },
  { id: 'name', label: 'Short name', fixed: true, look: 'mono', cell: ({ event }) => event },
  { id: 'kind', label: 'Kind', fixed: true, cell: ({ kind }) => eventKinds[kind] },
  { id: 'starts', label: 'Starts', fixed: true, cell: ({ startsAt }) => <DateText value={startsAt} shape="date" /> },
  {
    id: 'registered',
    label: 'Registered',
    fixed: true,
    align: 'end',
    cell: ({ registered, waiting }) => `${registered}${waiting > 0 ? ` + ${waiting} waiting` : ''}`,
  },
  {
    id: 'state',
    label: 'State',
    fixed: true,
    card: 'state',
    cell: event => <StateMark state={stateOf(event).state}>{stateOf(event).words}</StateMark>,
  },
];

function EventList() {
  const address = useAddress();
  const asked = Number(address.get('page'));
  const page = Number.isInteger(asked) && asked > 0 ? asked : 1;
  const { answer, stale } = useSteadyAnswer(deskEvents.listStaffEvents, { query: { offset: (page - 1) * pageSize, limit: pageSize } });
  return (
    <Page
      title={pages.deskEvents.title}
      sub="People see an event, and can register, once it’s published."
      actions={
        <LinkButton href={`${pages.deskEvents.path}?event=new`} variant="primary" icon="plus">
          New event
        </LinkButton>
      }
    >
      <Sheet flush aria-label="Events">
        <DataTable
          caption="Events, latest first"
          columns={columns}
          rows={answer.rows}
          rowId={({ event }) => event}
          state={{ ...emptyTableState, page }}
          onStateChange={next => address.set({ page: next.page > 1 ? String(next.page) : null }, { step: true })}
          total={answer.total}
          pageSize={pageSize}
          loading={stale}
          empty={
            <EmptyState title="No events yet" picture={false}>
              A new event is a draft until you publish it.
            </EmptyState>
          }
        />
      </Sheet>
    </Page>
  );
}
