import { DraftNote, Page, useChange, useDraft, useKit } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { type Form as FormState, useForm } from '@portal/app-kit/form/use-form';
import { deskEvents } from '@portal/contract/events/desk';
import {
  type EventKind,
  type EventMode,
  eventKindNames,
  eventKinds,
  eventModeNames,
  eventModes,
  type StaffEvent,
} from '@portal/contract/events/event-shapes';
import { pages } from '@portal/contract/pages';
import { Banner, Breadcrumb, Button, ButtonRow, Field, LinkButton, Row, Select, Sheet, TextArea, TextInput } from '@portal/ui';
import { DateTimeInput } from '@portal/ui/form/DateTimeInput';
import { bodyOf, emptyEvent, problemsOfTimes, type TypedEvent, typedOf } from './event-form.ts';

const refresh = [deskEvents.getStaffEvent, deskEvents.listStaffEvents];

/** A new event, or another version of one. */
export function EventForm({ event }: { event?: StaffEvent }) {
  const { form, draft, isStale } = useEventForm(event);
  const title = event ? `Change ${event.title}` : 'New event';
  return (
    <Page
      title={title}
      breadcrumb={<Breadcrumb items={[{ label: pages.deskEvents.title, href: pages.deskEvents.path }, { label: title }]} />}
    >
      <Sheet>
        <Form form={form} label={title}>
          {isStale && (
            <Banner kind="error" title="Someone else changed the event.">
              Copy what you need, then go back and open it again.
            </Banner>
          )}
          <DraftNote draft={draft} onDiscard={draft.discard} />
          <EventFields form={form} isNew={event === undefined} />
          <ButtonRow>
            <Button type="submit" variant={event && event.state !== 'draft' ? 'commit' : 'primary'} busy={form.busy}>
              {event ? 'Save changes' : 'Save draft'}
            </Button>
            <LinkButton href={event ? `${pages.deskEvents.path}?event=${event.event}` : pages.deskEvents.path}>Back</LinkButton>
          </ButtonRow>
        </Form>
      </Sheet>
    </Page>
  );
}

function useEventForm(event: StaffEvent | undefined) {
  const { router, notify, environment } = useKit();
  const initial = event ? typedOf(event) : emptyEvent(environment.registryTimeZone);
  const draft = useDraft<TypedEvent>(event ? `event-${event.event}-${event.version}` : 'event-new', initial);
  const onDone = (saved: StaffEvent) => {
    draft.discard();
    notify({ text: `${saved.title} is saved.` });
    router.go(`${pages.deskEvents.path}?event=${saved.event}`, { replace: true });
  };
  const add = useChange(deskEvents.addEvent, { refresh, showsErrors: true, onDone });
  const change = useChange(deskEvents.changeEvent, { refresh, showsErrors: true, onDone });
  const form = useForm(deskEvents.addEvent.body, initial, {
    name: 'event',
    draft,
    toBody: bodyOf,
    fieldAt: place => place.replace(/^values\./, ''),
    check: problemsOfTimes,
    shownElsewhere: ['STALE'],
    change: event ? change : add,
    send: body => {
      if (event) change.mutate({ event: event.event, body: { version: event.version, values: body.values } });
      else add.mutate({ body });
    },
  });
  return { form, draft, isStale: change.error?.code === 'STALE' };
}

type FieldsProps = { form: FormState<TypedEvent> };

function EventFields({ form, isNew }: FieldsProps & { isNew: boolean }) {
  const { values, set, field, input } = form;
  return (
    <>
      {isNew && (
        <Field label="Short name" help="Such as CONF-64. It can’t be changed later." {...field('event')}>
          <TextInput {...input('event')} spellCheck={false} maxLength={40} />
        </Field>
      )}
      <Field label="Kind" help="Only conferences count for the votes of attendees." {...field('kind')}>
        <Select
          value={values.kind}
          options={eventKindNames.map(value => ({ value, label: eventKinds[value] }))}
          onChange={({ target }) => set({ kind: target.value as EventKind })}
        />
      </Field>
      <Field label="Title" {...field('title')}>
        <TextInput {...input('title')} />
      </Field>
      <Field label="Description" optional {...field('description')}>
        <TextArea {...input('description')} />
      </Field>
      <Field label="How it’s held" {...field('mode')}>
        <Select
          value={values.mode}
          options={eventModeNames.map(value => ({ value, label: eventModes[value] }))}
          onChange={({ target }) => set({ mode: target.value as EventMode })}
        />
      </Field>
      <Field label="Venue and city" optional={values.mode === 'online'} {...field('place')}>
        <TextInput {...input('place')} />
      </Field>
      <Field label="Programme page" optional {...field('url')}>
        <TextInput {...input('url')} type="url" placeholder="https://" />
      </Field>
      <Field label="Time zone of the venue" help="All times below are in this time zone." {...field('timeZone')}>
        <TextInput {...input('timeZone')} spellCheck={false} maxLength={60} />
      </Field>
      <TimeFields form={form} />
      {values.mode !== 'online' && <OnSiteFields form={form} />}
      <Field label="Hours on certificates" help="Empty: certificates name none." optional {...field('hours')}>
        <TextInput {...input('hours')} inputMode="decimal" maxLength={5} />
      </Field>
    </>
  );
}

const TimeFields = ({ form: { field, input } }: FieldsProps) => {
  const time = (name: 'startsAt' | 'endsAt' | 'registrationOpensAt' | 'registrationClosesAt', label: string) => (
    <Field label={label} {...field(name)}>
      <DateTimeInput {...input(name)} />
    </Field>
  );
  return (
    <>
      <Row wrap top gap={16}>
        {time('startsAt', 'Starts')}
        {time('endsAt', 'Ends')}
      </Row>
      <Row wrap top gap={16}>
        {time('registrationOpensAt', 'Registration opens')}
        {time('registrationClosesAt', 'Registration closes')}
      </Row>
    </>
  );
};

const OnSiteFields = ({ form: { field, input } }: FieldsProps) => (
  <Row wrap top gap={16}>
    <Field label="Places on site" help="Empty: no limit." optional {...field('capacity')}>
      <TextInput {...input('capacity')} inputMode="numeric" maxLength={6} />
    </Field>
    <Field label="Fee on site" help="The first place of an account is free." {...field('fee')}>
      <TextInput {...input('fee')} inputMode="decimal" maxLength={9} />
    </Field>
    <Field label="Currency" {...field('currency')}>
      <TextInput {...input('currency')} spellCheck={false} maxLength={3} />
    </Field>
  </Row>
);
