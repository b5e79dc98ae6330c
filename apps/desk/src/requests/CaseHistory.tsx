import { useChange, useRefusal } from '@portal/app-kit';
import { requestDesk, type StaffResourceRequest } from '@portal/contract/requests/desk';
import { Button, Checkbox, DateText, Field, TextArea } from '@portal/ui';
import { Quote } from '@portal/ui/text/Quote';
import { useState } from 'react';
import styles from './Request.module.css';

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
  'awaiting-fee': 'Waits for the transfer fee',
  'fee-paid': 'Transfer fee paid',
  completed: 'Completed',
  rejected: 'Rejected by',
  withdrawn: 'Withdrawn by',
  declined: 'Declined by',
  expired: 'Expired',
  reminded: 'Reminder sent',
  'on-hold': 'On hold',
};

/** The conversation and history of a request, oldest first, and a form for a note. */
export function CaseHistory({ request, onAdded }: { request: StaffResourceRequest; onAdded: (row: StaffResourceRequest) => void }) {
  return (
    <>
      <ul className={styles.people}>
        {request.events.map(({ eventId, kind: what, at, by, words, internal }) => (
          <li key={eventId}>
            {eventWords[what] ?? what} {by && <span className="strong">{by}</span>}{' '}
            {internal && <span className="quiet small">only for registry staff</span>}{' '}
            <span className="quiet small">
              <DateText value={at} />
            </span>
            <Quote words={words} />
          </li>
        ))}
      </ul>
      <NoteForm requestId={request.requestId} onDone={onAdded} />
    </>
  );
}

function NoteForm({ requestId, onDone }: { requestId: string; onDone: (row: StaffResourceRequest) => void }) {
  const [words, setWords] = useState('');
  const [isPublic, setPublic] = useState(false);
  const refusal = useRefusal(requestDesk.noteOnRequest);
  const add = useChange(requestDesk.noteOnRequest, {
    onDone: row => {
      setWords('');
      onDone(row);
    },
  });
  return (
    <>
      <Field label="Note" optional help={isPublic ? 'The member reads it and gets an e-mail.' : 'Only registry staff read it.'}>
        <TextArea rows={2} maxLength={4000} value={words} onChange={event => setWords(event.target.value)} />
      </Field>
      <Checkbox checked={isPublic} onChange={event => setPublic(event.target.checked)}>
        Send to the member
      </Checkbox>
      <div>
        <Button
          size="s"
          busy={add.isPending}
          refusal={refusal ?? (words.trim() === '' ? { reason: 'Enter a note' } : null)}
          onClick={() => add.mutate({ requestId, body: { words, internal: !isPublic } })}
        >
          Add
        </Button>
      </div>
    </>
  );
}
