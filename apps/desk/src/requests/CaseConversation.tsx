import { useChange, useRefusal } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import type { RequestEvent } from '@portal/contract/requests/requests';
import { type Addressee, requestDesk, type StaffResourceRequest } from '@portal/contract/requests/desk';
import { Badge, Button, Field, Segmented, Select, Sheet, TextArea } from '@portal/ui';
import { useRef, useState } from 'react';
import caseStyles from '../shell/cases/Case.module.css';
import { CaseEvents } from '../shell/cases/CaseEvents.tsx';
import { leaveField, useDeskKeys } from '../shell/cases/desk-keys.ts';
import { Key } from '../shell/cases/Key.tsx';
import { InsertTemplate } from '../shell/InsertTemplate.tsx';
import { addresseesOf } from './use-resource-acts.ts';

type Props = { request: StaffResourceRequest; onAdded: (row: StaffResourceRequest, words: string) => void };

/** The conversation with the parties, and a message to one or both of them. A question that stops the clock is an act of the case. */
export function CaseConversation({ request, onAdded }: Props) {
  const { requestId, accountName, events, recipientName } = request;
  const addressees = addresseesOf(request);
  const [whose, setWhose] = useState('all');
  const field = useRef<HTMLTextAreaElement>(null);
  const refusal = useRefusal(requestDesk.noteOnRequest);
  const add = useChange(requestDesk.noteOnRequest, {
    showsErrors: true,
    onDone: row => {
      form.reset();
      leaveField();
      onAdded(row, addressees ? 'The message is sent by e-mail.' : `The message is sent to ${accountName} by e-mail.`);
    },
  });
  const form = useForm(
    requestDesk.noteOnRequest.body,
    { to: addressees ? '' : ('sender' as Addressee | ''), words: '' },
    {
      name: 'case-message',
      toBody: ({ to, words }) => ({ words, internal: false, ...(to !== '' && { to }) }),
      check: ({ to, words }) => ({
        ...(words.trim() === '' && { words: 'Enter a message' }),
        // Which party reads it is never chosen by default.
        ...(to === '' && { to: 'Choose who reads it' }),
      }),
      change: add,
      send: body => add.mutate({ requestId, body }),
    },
  );
  const spoken = events.filter(({ internal, words }) => !internal && words !== '');
  const sides = sidesOf(spoken, accountName);
  useDeskKeys({ c: refusal?.hides ? null : () => field.current?.focus() });
  return (
    <Sheet
      flush
      title="Conversation"
      actions={
        sides.length > 1 && (
          <Segmented
            label="Messages shown"
            value={whose}
            options={[
              { value: 'all', label: `All ${spoken.length}` },
              ...sides.map(({ side, count }) => ({ value: side, label: `${side} ${count}` })),
            ]}
            onChange={setWhose}
          />
        )
      }
      meta={
        <span>{addressees ? 'Each party reads what is written to it' : `${accountName} reads everything here, and gets it by e-mail`}</span>
      }
    >
      <div className={caseStyles.conversation}>
        <CaseEvents
          events={spoken.filter(event => whose === 'all' || sideOf(event, accountName) === whose)}
          hasTwoParties={recipientName !== null}
          label="Conversation"
        />
      </div>
      {!refusal?.hides && (
        <div className={caseStyles.compose}>
          <Form form={form} label="Message">
            {addressees && (
              <Field label="To" {...form.field('to')}>
                <Select {...form.input('to')} options={[{ value: '', label: 'Choose' }, ...addressees]} />
              </Field>
            )}
            <InsertTemplate text={form.values.words} onInsert={words => form.set({ words })} />
            <Field label="Message" {...form.field('words')}>
              <TextArea ref={field} rows={3} {...form.input('words')} />
            </Field>
            <div>
              <Button type="submit" size="s" busy={form.busy} refusal={refusal} aria-keyshortcuts="c">
                Send message <Key name="c" />
              </Button>
            </div>
          </Form>
        </div>
      )}
    </Sheet>
  );
}

/** Who said something: the registry, its rules included, or a party by the name of its account. */
const sideOf = ({ byStaff, by, party }: RequestEvent, accountName: string): string =>
  byStaff || by === null ? 'Registry' : (party ?? accountName);

/** Those who said something, each with how often, in the order of their first words. */
const sidesOf = (spoken: readonly RequestEvent[], accountName: string): { side: string; count: number }[] =>
  [...Map.groupBy(spoken, event => sideOf(event, accountName))].map(([side, said]) => ({ side, count: said.length }));

/** Notes among registry staff, on a sheet of their own: nothing on it leaves the desk. */
export function CaseInternalNotes({ request: { requestId, events }, onAdded }: Props) {
  const field = useRef<HTMLTextAreaElement>(null);
  const refusal = useRefusal(requestDesk.noteOnRequest);
  const add = useChange(requestDesk.noteOnRequest, {
    showsErrors: true,
    onDone: row => {
      form.reset();
      leaveField();
      onAdded(row, 'The note is saved. Members don’t see it.');
    },
  });
  const form = useForm(
    requestDesk.noteOnRequest.body,
    { words: '' },
    {
      name: 'case-note',
      toBody: ({ words }) => ({ words, internal: true }),
      ifEmpty: { words: 'Enter a note' },
      change: add,
      send: body => add.mutate({ requestId, body }),
    },
  );
  useDeskKeys({ n: refusal?.hides ? null : () => field.current?.focus() });
  const notes = events.filter(({ internal, words }) => internal && words !== '');
  return (
    <Sheet
      flush
      title="Internal notes"
      meta={
        <Badge kind="warning" icon="lock">
          Registry only
        </Badge>
      }
      className={caseStyles.internal}
    >
      {(notes.length > 0 || refusal?.hides) && (
        <div className={caseStyles.conversation}>
          <CaseEvents events={notes} hasTwoParties={false} label="Internal notes" />
        </div>
      )}
      {!refusal?.hides && (
        <div className={caseStyles.compose}>
          <Form form={form} label="Internal note">
            <Field label="Note for registry staff" {...form.field('words')}>
              <TextArea ref={field} rows={2} {...form.input('words')} />
            </Field>
            <div>
              <Button type="submit" size="s" icon="lock" busy={form.busy} refusal={refusal} aria-keyshortcuts="n">
                Add note <Key name="n" />
              </Button>
            </div>
          </Form>
        </div>
      )}
    </Sheet>
  );
}
