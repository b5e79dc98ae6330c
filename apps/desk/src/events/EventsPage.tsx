import { later } from '@portal/app-kit/page/later';
import { Page, useAddress, useSteadyAnswer } from '@portal/app-kit';
import { useTablePage } from '@portal/app-kit/place/table-page';
import { deskEvents } from '@portal/contract/events/desk';
import { eventKinds, type StaffEvent } from '@portal/contract/events/event-shapes';
import { pages } from '@portal/contract/pages';
import { DateText, EmptyState, Link, LinkButton, Sheet, StateMark } from '@portal/ui';
import { type Column, DataTable } from '@portal/ui/table/DataTable';
import { useMay } from '../shell/use-may.ts';
import { stateOf } from './event-state.ts';

const EventView = later(() => import('./EventView.tsx'), 'EventView');
const EventForm = later(() => import('./EventForm.tsx'), 'EventForm');

/** Events: a list, one of them, or its form, as the address says. */
export default function EventsPage() {
  const may = useMay();
  const event = useAddress().get('event');
  // Who only reads is shown the list.
  const isNew = event === 'new';
  if (isNew && may(deskEvents.addEvent)) return <EventForm />;
  if (event === null || isNew) return <EventList />;
  // Short names are upper case; an address typed by hand need not be.
  const name = event.trim().toUpperCase();
  return <EventView key={name} name={name} />;
}

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
  const may = useMay();
  const address = useAddress();
  const { query, table } = useTablePage(20);
  const { answer, stale } = useSteadyAnswer(deskEvents.listStaffEvents, { query });
  return (
    <Page
      title={pages.deskEvents.title}
      sub="People see an event, and can register, once it’s published."
      actions={
        may(deskEvents.addEvent) && (
          <LinkButton href={`${pages.deskEvents.path}?event=new`} variant="primary" icon="plus">
            New event
          </LinkButton>
        )
      }
    >
      <Sheet flush aria-label="Events">
        <DataTable
          caption="Events, latest first"
          columns={columns}
          rows={answer.rows}
          rowId={({ event }) => event}
          {...table}
          total={answer.total}
          loading={stale}
          onOpen={({ event }) => address.go(`${pages.deskEvents.path}?event=${event}`)}
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
