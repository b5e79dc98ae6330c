import { Page, reading, useChange, useDraft, useKit } from '@portal/app-kit';
import { useLive } from '@portal/app-kit/calls/live';
import { DocumentList } from '@portal/app-kit/documents/DocumentList';
import { UploadField } from '@portal/app-kit/documents/UploadField';
import { useUploads } from '@portal/app-kit/documents/uploads';
import { Form } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { documents } from '@portal/contract/documents/documents';
import { pages } from '@portal/contract/pages';
import { ticketQueueNames, ticketQueues, type TicketQueue, ticketStates, isTicketOver } from '@portal/contract/tickets/queues';
import { type StaffTicket, tickets } from '@portal/contract/tickets/tickets';
import {
  Banner,
  Breadcrumb,
  Button,
  ButtonRow,
  DateText,
  Field,
  KeyValueList,
  Link,
  Select,
  Sheet,
  Stack,
  TextArea,
  TextInput,
} from '@portal/ui';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ticketStyles as styles } from '@portal/app-kit/tickets/ticket-styles';
import { Timeline } from '@portal/app-kit/tickets/Timeline';
import { InsertTemplate, ReplyContext } from '../shell/InsertTemplate.tsx';

const refresh = [tickets.getStaffTicket, tickets.listStaffTickets];
const againMs = 15_000;

/** One ticket at the desk: messages and comments, the answer, and how it is sorted. */
export function TicketView({ ticketId }: { ticketId: string }) {
  const { call } = useKit();
  const { data: ticket } = useSuspenseQuery({ ...reading(call, tickets.getStaffTicket, { ticketId }), refetchInterval: againMs });
  useLive('ticket', refresh, ticketId);
  const { subject, requestor, requestorEmail, accountName, createdAt, unverified } = ticket;
  return (
    <Page
      title={`${ticketId} ${subject}`}
      heading={<bdi>{subject}</bdi>}
      sub={
        <>
          <span className="mono">{ticketId}</span>, opened by <bdi>{requestor}</bdi> ({requestorEmail}) <DateText value={createdAt} />
        </>
      }
      breadcrumb={<Breadcrumb items={[{ label: pages.deskTickets.title, href: pages.deskTickets.path }, { label: ticketId }]} />}
    >
      <Stack gap={16}>
        {unverified && (
          <Banner kind="warning">
            This person did not write for an account. Don’t answer questions about accounts here: only registered contacts get such answers.
          </Banner>
        )}
        <div className={styles.ticket}>
          <Sheet flush aria-label="Messages">
            <Timeline
              messages={ticket.messages.filter(({ kind }) => kind !== 'comment')}
              addressOf={({ kind }) => (kind === 'invoice' && accountName ? `/desk/accounts/${accountName}#billing` : null)}
              files={message =>
                message.files.length > 0 && (
                  <DocumentList papers={message.files} opens={documents.openStaffDocument} inputOf={documentId => ({ documentId })} />
                )
              }
            />
            <ReplyContext value={{ kind: 'tickets', account: accountName, request: ticketId, contact: requestor }}>
              <Answer ticketId={ticketId} />
            </ReplyContext>
          </Sheet>
          <Stack gap={16}>
            <InternalNotes ticket={ticket} />
            <Sheet title="Ticket">
              <Stack gap={12}>
                <KeyValueList
                  align="left"
                  items={[
                    ...(ticket.isTalk ? [{ key: 'From', value: 'Talk to us. The person may be waiting in the portal' }] : []),
                    {
                      key: 'State',
                      value: ticket.state === 'stalled' ? 'Waiting for the member' : ticketStates[ticket.state],
                    },
                    {
                      key: 'Account',
                      value: accountName ? <Link href={`/desk/accounts/${accountName}`}>{accountName}</Link> : 'none',
                    },
                    ...(ticket.tie ? [{ key: 'About', value: <span className="mono">{ticket.tie.text}</span> }] : []),
                    { key: 'Copied in', value: ticket.cc.map(({ email }) => email).join(', ') || 'no one' },
                    { key: 'Taken by', value: ticket.owner ?? 'no one yet' },
                  ]}
                />
                <Sorting ticket={ticket} />
              </Stack>
            </Sheet>
          </Stack>
        </div>
      </Stack>
    </Page>
  );
}

function Sorting({ ticket: { ticketId, queue, state } }: { ticket: StaffTicket }) {
  const { notify } = useKit();
  const change = useChange(tickets.changeStaffTicket, { refresh, onDone: () => notify({ text: `Ticket ${ticketId} is changed.` }) });
  const send = (body: Parameters<typeof change.mutate>[0]['body']): void => change.mutate({ ticketId, body });
  return (
    <Stack gap={8}>
      <Field label="Queue">
        <Select
          value={queue}
          options={ticketQueueNames.map(name => ({ value: name, label: ticketQueues[name].label }))}
          onChange={event => send({ queue: event.target.value as TicketQueue })}
        />
      </Field>
      <ButtonRow>
        <Button size="s" busy={change.isPending} onClick={() => send({ take: true })}>
          Take it
        </Button>
        {isTicketOver(state) ? (
          <Button size="s" busy={change.isPending} onClick={() => send({ state: 'open' })}>
            Open again
          </Button>
        ) : (
          <>
            <Button size="s" busy={change.isPending} onClick={() => send({ state: 'resolved' })}>
              Mark as solved
            </Button>
            <Button size="s" variant="danger" busy={change.isPending} onClick={() => send({ state: 'rejected' })}>
              Close without an answer
            </Button>
          </>
        )}
      </ButtonRow>
    </Stack>
  );
}

const thens = [
  { value: 'stalled', label: 'Wait for the member' },
  { value: 'open', label: 'Stay with us' },
  { value: 'resolved', label: 'Mark as solved' },
] as const;
type Then = (typeof thens)[number]['value'];

/** The answer to the member. Notes for colleagues have a form and a sheet of their own, so that neither is sent as the other. */
function Answer({ ticketId }: { ticketId: string }) {
  const { notify } = useKit();
  const draft = useDraft(`desk-answer:${ticketId}`, { text: '', asks: '' });
  const uploads = useUploads({ most: 5 });
  const [then, setThen] = useState<Then>('stalled');
  const answer = useChange(tickets.answerStaffTicket, {
    refresh,
    showsErrors: true,
    onDone: () => {
      uploads.clear();
      form.reset();
      draft.discard();
      notify({ text: 'The answer is sent.' });
    },
  });
  const form = useForm(
    tickets.answerStaffTicket.body,
    { text: '', asks: '' },
    {
      name: 'desk-answer',
      draft,
      toBody: ({ text, asks }) => ({
        text,
        asks: then === 'stalled' ? asks : '',
        comment: false,
        next: then,
        documentIds: uploads.documentIds,
      }),
      ifEmpty: { text: 'Enter your answer' },
      change: answer,
      send: body => answer.mutate({ ticketId, body }),
    },
  );
  return (
    <div className={styles.reply}>
      <Form form={form} label="Answer">
        <InsertTemplate text={form.values.text} onInsert={text => form.set({ text })} />
        <Field label="Answer to the member" {...form.field('text')}>
          <TextArea rows={6} dir="auto" {...form.input('text')} />
        </Field>
        <Field label="Then">
          <Select value={then} options={thens} onChange={event => setThen(event.target.value as Then)} />
        </Field>
        {then === 'stalled' && (
          <Field
            label="Needed from the member"
            help="Read after “Waiting for you:” at the head of the ticket, such as “the bank reference of the payment”."
            optional
            {...form.field('asks')}
          >
            <TextInput dir="auto" {...form.input('asks')} />
          </Field>
        )}
        <UploadField label="Files" uploads={uploads} optional />
        <ButtonRow>
          <Button type="submit" variant="primary" busy={form.busy}>
            Send the answer
          </Button>
        </ButtonRow>
      </Form>
    </div>
  );
}

/** Notes among registry staff, on a sheet of their own: nothing on it leaves the desk. */
function InternalNotes({ ticket: { ticketId, messages } }: { ticket: StaffTicket }) {
  const { notify } = useKit();
  const draft = useDraft(`desk-note:${ticketId}`, { text: '' });
  const uploads = useUploads({ most: 5 });
  const save = useChange(tickets.answerStaffTicket, {
    refresh,
    showsErrors: true,
    onDone: () => {
      uploads.clear();
      form.reset();
      draft.discard();
      notify({ text: 'The note is saved. Members don’t see it.' });
    },
  });
  const form = useForm(
    tickets.answerStaffTicket.body,
    { text: '' },
    {
      name: 'desk-note',
      draft,
      toBody: values => ({ ...values, comment: true, documentIds: uploads.documentIds }),
      ifEmpty: { text: 'Enter a note' },
      change: save,
      send: body => save.mutate({ ticketId, body }),
    },
  );
  const notes = messages.filter(({ kind }) => kind === 'comment');
  return (
    <Sheet flush title="Internal notes" meta={<span>Never shown to members</span>} className={styles.internal}>
      {notes.length > 0 && (
        <Timeline
          label="Internal notes, oldest first"
          messages={notes}
          addressOf={() => null}
          files={message =>
            message.files.length > 0 && (
              <DocumentList papers={message.files} opens={documents.openStaffDocument} inputOf={documentId => ({ documentId })} />
            )
          }
        />
      )}
      <div className={styles.reply}>
        <Form form={form} label="Internal note">
          <Field label="Note for registry staff" {...form.field('text')}>
            <TextArea rows={3} dir="auto" {...form.input('text')} />
          </Field>
          <UploadField label="Files for registry staff" uploads={uploads} optional />
          <ButtonRow>
            <Button type="submit" size="s" busy={form.busy}>
              Save the note
            </Button>
          </ButtonRow>
        </Form>
      </div>
    </Sheet>
  );
}
