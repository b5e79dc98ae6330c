import { Page, type PageReads, read, useAddress, useKit, useRead, useSession } from '@portal/app-kit';
import { events } from '@portal/contract/events/events';
import { pages } from '@portal/contract/pages';
import { CopyButton, EmptyState, Icon, Link, LinkButton, Mono, Row, Sheet, Stack } from '@portal/ui';
import { EventCard } from './EventCard.tsx';
import { OutsideEvents } from './OutsideEvents.tsx';

const eventsOf = (account: string | null) => read(events.listUpcomingEvents, { query: account === null ? {} : { account } });
export const reads: PageReads = ({ account }) => [eventsOf(account)];

/** `/events/upcoming-events`: events ahead, registering for them, and the calendar to subscribe to. */
export default function UpcomingEventsPage() {
  const { account } = useSession();
  const name = account && !account.asStaff ? account.accountName : null;
  return <UpcomingEvents key={name ?? ''} account={name} />;
}

function UpcomingEvents({ account }: { account: string | null }) {
  const { appUrl } = useKit().environment;
  const { rows, outside, calendarUrl } = useRead(eventsOf(account));
  const chosen = useAddress().get('event');
  const one = rows.find(({ event }) => event === chosen);
  const shown = one ? [one] : rows;
  return (
    <Page
      title={pages.upcomingEvents.title}
      sub="Conferences, workshops and webinars. Times are yours, with those at the venue."
      actions={
        <Row wrap>
          {calendarUrl && /^https?:/i.test(calendarUrl) && (
            <LinkButton href={calendarUrl} target="_blank" variant="quiet">
              Events calendar <Icon name="external" />
            </LinkButton>
          )}
          <LinkButton href={pages.attendedEvents.path} variant="quiet">
            {pages.attendedEvents.title}
          </LinkButton>
        </Row>
      }
    >
      <Stack gap={16}>
        {chosen !== null && (
          <p className="small">
            {!one && <>This event is over or isn’t published. </>}
            <Link href={pages.upcomingEvents.path}>All upcoming events</Link>
          </p>
        )}
        {shown.map(event => (
          <EventCard key={event.event} event={event} account={account} />
        ))}
        {rows.length === 0 && outside.length === 0 && (
          <Sheet flush>
            <EmptyState
              title="No upcoming events"
              picture={false}
              action={<LinkButton href={pages.attendedEvents.path}>View past events</LinkButton>}
            >
              Events appear here once announced. Subscribe to the calendar to hear of them.
            </EmptyState>
          </Sheet>
        )}
        {!one && outside.length > 0 && <OutsideEvents events={outside} />}
        <Sheet title="Subscribe to the calendar">
          <Row gap={8} wrap>
            <span style={{ overflowWrap: 'anywhere', minWidth: 0 }}>
              <Mono>{`${appUrl}/calendar/events.ics`}</Mono>
            </span>
            <CopyButton text={`${appUrl}/calendar/events.ics`} label="Copy the calendar address" />
          </Row>
          <p className="small quiet">Add this address to your calendar program. New events and changes appear there.</p>
        </Sheet>
      </Stack>
    </Page>
  );
}
