import { later } from '@portal/app-kit/page/later';
import { Page, useAddress, useAnswer, useChange, useDateFormat, useDownload, useKit, useRefusal, useSteadyAnswer } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { conferences } from '@portal/contract/elections/conferences';
import { deskEvents, type EventRegistration } from '@portal/contract/events/desk';
import { eventKinds, eventModes, type StaffEvent } from '@portal/contract/events/event-shapes';
import { pages } from '@portal/contract/pages';
import {
  Breadcrumb,
  Button,
  ButtonRow,
  DateText,
  EmptyState,
  Field,
  KeyValueList,
  Link,
  LinkButton,
  Sheet,
  Stack,
  StateMark,
  TextArea,
} from '@portal/ui';
import { type Column, DataTable, emptyTableState } from '@portal/ui/table/DataTable';
import { useState } from 'react';
import { AttendanceForm } from '../shell/AttendanceForm.tsx';
import { useMay } from '../shell/use-may.ts';
import { stateOf } from './event-state.ts';

const EventForm = later(() => import('./EventForm.tsx'), 'EventForm');
const refresh = [deskEvents.getStaffEvent, deskEvents.listStaffEvents, deskEvents.listRegistrations];

/** One event: its facts, who registered, who came, and what staff do about it. */
export function EventView({ name }: { name: string }) {
  const address = useAddress();
  const event = useAnswer(deskEvents.getStaffEvent, { event: name });
  const may = useMay();
  if (address.get('act') === 'change') return <EventForm event={event} key={event.version} />;
  const mark = stateOf(event);
  return (
    <Page
      title={event.title}
      sub={<StateMark state={mark.state}>{mark.words}</StateMark>}
      breadcrumb={<Breadcrumb items={[{ label: pages.deskEvents.title, href: pages.deskEvents.path }, { label: event.title }]} />}
    >
      <Stack gap={16}>
        <Facts event={event} />
        {event.state !== 'cancelled' && <Acts event={event} />}
        <Attendance event={event} />
        {may(deskEvents.listRegistrations) && <Registrations event={name} />}
      </Stack>
    </Page>
  );
}

function Facts({ event }: { event: StaffEvent }) {
  const { startsAt, endsAt, timeZone, registrationOpensAt, registrationClosesAt, capacity, fee, currency, onSite, waiting, registered } =
    event;
  const official = { timeZone, hourCycle: useDateFormat().hourCycle };
  return (
    <Sheet title="Event">
      <KeyValueList
        align="left"
        items={[
          { key: 'Short name', value: <span className="mono">{event.event}</span> },
          { key: 'Kind', value: `${eventKinds[event.kind]}, ${eventModes[event.mode].toLowerCase()}` },
          ...(event.place ? [{ key: 'Place', value: event.place }] : []),
          {
            key: 'Held',
            value: (
              <>
                <DateText value={startsAt} format={official} /> to <DateText value={endsAt} format={official} /> ({timeZone})
              </>
            ),
          },
          {
            key: 'Registration',
            value: (
              <>
                <DateText value={registrationOpensAt} format={official} /> to <DateText value={registrationClosesAt} format={official} />
              </>
            ),
          },
          { key: 'Registered', value: `${registered}, ${onSite} on site${capacity === null ? '' : ` of ${capacity}`}, ${waiting} waiting` },
          { key: 'Fee on site', value: Number(fee) === 0 ? 'none' : `${currency} ${fee}, the first place of an account free` },
          ...(event.cancelReason ? [{ key: 'Cancelled', value: event.cancelReason }] : []),
        ]}
      />
    </Sheet>
  );
}

function Acts({ event }: { event: StaffEvent }) {
  const { event: name, version, state, title, registered, waiting } = event;
  const { notify } = useKit();
  const [cancelling, setCancelling] = useState(false);
  const refusal = useRefusal(deskEvents.publishEvent);
  const publish = useChange(deskEvents.publishEvent, { refresh, onDone: () => notify({ text: `${title} is published.` }) });
  const cancel = useChange(deskEvents.cancelEvent, {
    refresh,
    showsErrors: true,
    onDone: () => notify({ text: `${title} is cancelled.` }),
  });
  const form = useForm(
    deskEvents.cancelEvent.body,
    { reason: '' },
    {
      name: 'cancel-event',
      toBody: values => ({ ...values, version }),
      ifEmpty: { reason: 'Enter a reason' },
      change: cancel,
      send: body => cancel.mutate({ event: name, body }),
    },
  );
  return (
    <Sheet title="Actions">
      <Stack gap={12}>
        <ButtonRow>
          {state === 'draft' && (
            <Button
              variant="commit"
              busy={publish.isPending}
              refusal={refusal}
              onClick={() => publish.mutate({ event: name, body: { version } })}
            >
              Publish
            </Button>
          )}
          <LinkButton href={`${pages.deskEvents.path}?event=${name}&act=change`} icon="edit">
            Change event
          </LinkButton>
          {stateOf(event).words !== 'Ended' && !cancelling && (
            <Button variant="danger" refusal={refusal} onClick={() => setCancelling(true)}>
              Cancel the event
            </Button>
          )}
        </ButtonRow>
        {cancelling && (
          <ActForm
            form={form}
            label="Cancel the event"
            act="Cancel event"
            kind="danger"
            keep="Keep the event"
            onClose={() => setCancelling(false)}
          >
            <Field
              label="Reason"
              help={`${registered + waiting} people get it by e-mail. Cancelling can’t be undone.`}
              {...form.field('reason')}
            >
              <TextArea rows={2} {...form.input('reason')} />
            </Field>
          </ActForm>
        )}
      </Stack>
    </Sheet>
  );
}

/** The list of who came: exported, filled in elsewhere, imported. */
function Attendance({ event: { event, title, attended } }: { event: StaffEvent }) {
  const [bringing, setBringing] = useState(false);
  const save = useDownload(deskEvents.exportAttendance);
  const refusal = useRefusal(deskEvents.exportAttendance);
  const bringRefusal = useRefusal(conferences.importAttendance);
  return (
    <Sheet title="Attendance" meta={attended > 0 && <span>{attended} attended</span>}>
      <Stack gap={12}>
        <p className="small">
          Registrations in the portal are on the list. Export it, mark who attended, and import it again. Certificates and votes of
          attendees follow the list.
        </p>
        {bringing ? (
          <AttendanceForm conference={event} title={title} also={refresh} onClose={() => setBringing(false)} />
        ) : (
          <ButtonRow>
            <Button icon="download" refusal={refusal} refusalIn="note" onClick={() => void save({ event })}>
              Export list
            </Button>
            <Button icon="upload" refusal={bringRefusal} refusalIn="note" onClick={() => setBringing(true)}>
              Import list
            </Button>
          </ButtonRow>
        )}
      </Stack>
    </Sheet>
  );
}

const pageSize = 50;
const marks = {
  registered: { state: 'valid', words: 'Registered' },
  waitlisted: { state: 'pending', words: 'Waiting' },
  cancelled: { state: 'closed', words: 'Cancelled' },
} as const;
const columns: Column<EventRegistration>[] = [
  {
    id: 'name',
    label: 'Name',
    card: 'key',
    fixed: true,
    wrap: true,
    cell: ({ fullName }) => <bdi>{fullName}</bdi>,
    text: ({ fullName }) => fullName,
  },
  { id: 'email', label: 'E-mail', fixed: true, wrap: true, cell: ({ email }) => email },
  {
    id: 'account',
    label: 'Account',
    fixed: true,
    cell: ({ accountName }) =>
      accountName ? <Link href={`/desk/accounts/${accountName}`}>{accountName}</Link> : <span className="quiet">none</span>,
  },
  { id: 'part', label: 'Takes part', fixed: true, cell: ({ part }) => (part === 'online' ? 'Online' : 'On site') },
  { id: 'fee', label: 'Fee', fixed: true, align: 'end', cell: ({ fee }) => (Number(fee) === 0 ? 'free' : fee) },
  { id: 'at', label: 'Registered', fixed: true, cell: ({ registeredAt }) => <DateText value={registeredAt} /> },
  {
    id: 'state',
    label: 'State',
    fixed: true,
    card: 'state',
    cell: ({ state, attended }) => <StateMark state={marks[state].state}>{attended ? 'Attended' : marks[state].words}</StateMark>,
  },
];

function Registrations({ event }: { event: string }) {
  const [page, setPage] = useState(1);
  const { answer, stale } = useSteadyAnswer(deskEvents.listRegistrations, {
    event,
    query: { offset: (page - 1) * pageSize, limit: pageSize },
  });
  return (
    <Sheet title="Registrations" flush>
      <DataTable
        caption="Registrations, oldest first"
        columns={columns}
        rows={answer.rows}
        rowId={({ registrationId }) => registrationId}
        state={{ ...emptyTableState, page }}
        onStateChange={next => setPage(next.page)}
        total={answer.total}
        pageSize={pageSize}
        loading={stale}
        empty={
          <EmptyState title="No registrations yet" picture={false}>
            People who register in the portal appear here.
          </EmptyState>
        }
      />
    </Sheet>
  );
}
