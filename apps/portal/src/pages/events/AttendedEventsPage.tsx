import { Page, useAnswer, useSession } from '@portal/app-kit';
import { type AttendedEvent, eventKinds } from '@portal/contract/events/event-shapes';
import { events } from '@portal/contract/events/events';
import { pages } from '@portal/contract/pages';
import { DateText, EmptyState, LinkButton, Sheet, Stack, StateMark } from '@portal/ui';
import { type Column, DataTable, emptyTableState } from '@portal/ui/table/DataTable';
import { useState } from 'react';
import { AccountCertificates } from './AccountCertificates.tsx';
import { Certificates } from './Certificates.tsx';

const pageSize = 20;

/** `/events/attended-events`: past events of the person, with certificates of attendance; and those that await approval of the account. */
export default function AttendedEventsPage() {
  const { account } = useSession();
  const { rows } = useAnswer(events.listAttendedEvents, {});
  const [page, setPage] = useState(1);
  const own = account && !account.asStaff ? account : null;
  const columns: Column<AttendedEvent>[] = [
    { id: 'event', label: 'Event', card: 'key', fixed: true, wrap: true, cell: ({ title }) => title },
    { id: 'kind', label: 'Kind', fixed: true, cell: ({ kind }) => eventKinds[kind] },
    {
      id: 'held',
      label: 'Held',
      fixed: true,
      wrap: true,
      cell: ({ startsOn, endsOn }) => (
        <>
          <DateText value={startsOn} shape="date" />
          {endsOn !== startsOn && (
            <>
              {' '}
              to <DateText value={endsOn} shape="date" />
            </>
          )}
        </>
      ),
    },
    { id: 'place', label: 'Place', fixed: true, wrap: true, cell: ({ place }) => place || <span className="quiet">not recorded</span> },
    {
      id: 'state',
      label: 'State',
      fixed: true,
      card: 'state',
      cell: ({ attended }) =>
        attended ? <StateMark state="valid">Attended</StateMark> : <StateMark state="closed">Registered, not attended</StateMark>,
    },
    {
      id: 'counts',
      label: 'Attendee votes',
      fixed: true,
      wrap: true,
      cell: ({ counts, attended }) => (counts && attended ? 'Counts' : <span className="quiet">Doesn’t count</span>),
    },
    {
      id: 'certificate',
      label: 'Certificate',
      fixed: true,
      wrap: true,
      card: 'wide',
      cell: row => <Certificates event={row} account={own?.accountName ?? null} />,
    },
  ];
  return (
    <Page
      title={pages.attendedEvents.title}
      sub="Attending a conference lets you vote as an attendee at the next eight."
      actions={
        <LinkButton href={pages.upcomingEvents.path} variant="quiet">
          {pages.upcomingEvents.title}
        </LinkButton>
      }
    >
      <Stack gap={16}>
        {own?.permissions.includes('certificates-approve') && <AccountCertificates key={own.accountName} account={own.accountName} />}
        <Sheet flush aria-label="Past events">
          <DataTable
            caption="Past events, newest first"
            columns={columns}
            rows={rows.slice((page - 1) * pageSize, page * pageSize)}
            rowId={({ event }) => event}
            state={{ ...emptyTableState, page }}
            onStateChange={next => setPage(next.page)}
            total={rows.length}
            pageSize={pageSize}
            empty={
              <EmptyState
                title="No past events yet"
                picture={false}
                action={<LinkButton href={pages.upcomingEvents.path}>View upcoming events</LinkButton>}
              >
                Events you attended under the e-mail address of your login appear here.
              </EmptyState>
            }
          />
        </Sheet>
      </Stack>
    </Page>
  );
}
