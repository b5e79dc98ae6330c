import { useChange, useRefusal } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { type Addressee, requestDesk, type StaffResourceRequest } from '@portal/contract/requests/desk';
import { Button, DateText, Field, Select, TextArea } from '@portal/ui';
import { Quote } from '@portal/ui/text/Quote';
import { InsertTemplate } from '../shell/InsertTemplate.tsx';
import styles from './Request.module.css';
import { addresseesOf } from './use-resource-acts.ts';

/** Events of a case, as lines that a name follows. */
const eventWords: Readonly<Record<string, string>> = {
  submitted: 'Sent by',
  offered: 'Offered by',
  acknowledged: 'Acknowledged by',
  'in-review': 'Taken into review by',
  question: 'Question from',
  answer: 'Answer from',
  message: 'Message from',
  note: 'Note by',
  reserved: 'A block is held for it',
  approved: 'Approved by',
  'awaiting-fee': 'Transfer fee pending',
  'fee-paid': 'Transfer fee paid',
  completed: 'Completed',
  rejected: 'Rejected by',
  withdrawn: 'Withdrawn by',
  declined: 'Declined by',
  expired: 'Expired',
  reminded: 'Reminder sent',
  'on-hold': 'On hold',
};

/** Events that are words of staff to one party or both. */
const said: readonly string[] = ['question', 'message', 'reminded', 'on-hold'];

/** The conversation and history of a request, oldest first, and a form for a note. */
export function CaseHistory({
  request,
  onAdded,
}: {
  request: StaffResourceRequest;
  onAdded?: ((row: StaffResourceRequest) => void) | undefined;
}) {
  return (
    <>
      <ul className={styles.people}>
        {request.events.map(({ eventId, kind: what, at, by, byStaff, words, internal, party }) => (
          <li key={eventId}>
            {eventWords[what] ?? what} {by && <span className="strong">{by}</span>}{' '}
            {internal && <span className="quiet small">only for registry staff</span>}{' '}
            {byStaff && request.recipientName !== null && said.includes(what) && (
              <span className="quiet small">to {party ?? 'both parties'}</span>
            )}{' '}
            <span className="quiet small">
              <DateText value={at} />
            </span>
            <Quote words={words} />
          </li>
        ))}
      </ul>
      {onAdded && <NoteForm request={request} onDone={onAdded} />}
    </>
  );
}

/** A note for registry staff, or a message to a party. */
function NoteForm({ request, onDone }: { request: StaffResourceRequest; onDone: (row: StaffResourceRequest) => void }) {
  const { requestId, accountName } = request;
  const refusal = useRefusal(requestDesk.noteOnRequest);
  const add = useChange(requestDesk.noteOnRequest, {
    showsErrors: true,
    onDone: row => {
      form.reset();
      onDone(row);
    },
  });
  const form = useForm(
    requestDesk.noteOnRequest.body,
    { reader: 'staff' as Addressee | 'staff', words: '' },
    {
      name: 'case-note',
      toBody: ({ reader, words }) => ({ words, internal: reader === 'staff', ...(reader !== 'staff' && { to: reader }) }),
      fieldAt: place => (place === 'to' ? 'reader' : place),
      check: ({ reader, words }) => ({ ...(words.trim() === '' && { words: reader === 'staff' ? 'Enter a note' : 'Enter a message' }) }),
      change: add,
      send: body => add.mutate({ requestId, body }),
    },
  );
  const isPublic = form.values.reader !== 'staff';
  return (
    <Form form={form} label="Note or message">
      <Field label="Who reads it" {...form.field('reader')}>
        <Select
          {...form.input('reader')}
          options={[
            { value: 'staff', label: 'Registry staff only' },
            ...(addresseesOf(request) ?? [{ value: 'sender', label: accountName }]),
          ]}
        />
      </Field>
      {isPublic && <InsertTemplate text={form.values.words} onInsert={words => form.set({ words })} />}
      <Field
        label={isPublic ? 'Message' : 'Note'}
        optional
        help={isPublic ? `It’s sent by e-mail too.` : undefined}
        {...form.field('words')}
      >
        <TextArea rows={2} {...form.input('words')} />
      </Field>
      <div>
        <Button type="submit" size="s" busy={form.busy} refusal={refusal}>
          {isPublic ? 'Send message' : 'Add note'}
        </Button>
      </div>
    </Form>
  );
}
