import { useChange, useKit } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { type Part, partsOf, type UpcomingEvent } from '@portal/contract/events/event-shapes';
import { events } from '@portal/contract/events/events';
import { Button, ButtonRow, Field, Row, Select } from '@portal/ui';
import { type ReactNode, useState } from 'react';
import { feeInWords } from './event-words.ts';

const refresh = [events.listUpcomingEvents];
const parts: Record<Part, string> = { onsite: 'On site', online: 'Online' };

/** Registers the person, for the selected account or for themselves. `children`: what else can be done with the event, beside the button. */
export function RegisterForm({ event, account, children }: { event: UpcomingEvent; account: string | null; children: ReactNode }) {
  const { notify } = useKit();
  const register = useChange(events.registerForEvent, {
    refresh,
    showsErrors: true,
    onDone: ({ mine }) =>
      notify({ text: mine?.state === 'waitlisted' ? 'You’re on the waiting list.' : `You’re registered for ${event.title}.` }),
  });
  const initial: { part: Part; account: string } = { part: partsOf(event.mode)[0]!, account: account ?? '' };
  const form = useForm(events.registerForEvent.body, initial, {
    name: `register-${event.event}`,
    toBody: values => ({ ...values, account: values.account || null }),
    change: register,
    send: body => register.mutate({ event: event.event, body }),
  });
  const { values, set, field } = form;
  const isFull = values.part === 'onsite' && event.placesLeft === 0;
  return (
    <Form form={form} label={`Register for ${event.title}`}>
      <Row wrap top gap={16}>
        {event.mode === 'hybrid' && (
          <Field label="Take part" {...field('part')}>
            <Select
              value={values.part}
              options={partsOf(event.mode).map(value => ({ value, label: parts[value] }))}
              onChange={({ target }) => set({ part: target.value as Part })}
            />
          </Field>
        )}
        {account !== null && (
          <Field label="For" {...field('account')}>
            <Select
              value={values.account}
              options={[
                { value: account, label: account },
                { value: '', label: 'Myself' },
              ]}
              onChange={({ target }) => set({ account: target.value })}
            />
          </Field>
        )}
      </Row>
      <p className="small quiet">
        {isFull
          ? 'All places on site are taken. You can join the waiting list.'
          : `${feeInWords(event, values.part, values.account || null)}.`}
      </p>
      <ButtonRow>
        <Button type="submit" variant="primary" busy={form.busy}>
          {isFull ? 'Join the waiting list' : 'Register'}
        </Button>
        {children}
      </ButtonRow>
    </Form>
  );
}

/** Cancels the registration, after a confirmation that shows the consequences. */
export function CancelRegistration({ event: { event, title, mine } }: { event: UpcomingEvent }) {
  const { notify } = useKit();
  const [asking, setAsking] = useState(false);
  const cancel = useChange(events.cancelRegistration, {
    refresh,
    onDone: () => notify({ text: `Your registration for ${title} is cancelled.` }),
  });
  if (!asking)
    return (
      <Button onClick={() => setAsking(true)}>{mine?.state === 'waitlisted' ? 'Leave the waiting list' : 'Cancel registration'}</Button>
    );
  return (
    <>
      <span className="small">Your place goes to the next person.</span>
      <Button variant="danger" busy={cancel.isPending} onClick={() => cancel.mutate({ event })}>
        {mine?.state === 'waitlisted' ? 'Leave the waiting list' : 'Cancel registration'}
      </Button>
      <Button onClick={() => setAsking(false)}>Keep it</Button>
    </>
  );
}
