import { Page, reading, useChange, useDraft, useKit } from '@portal/app-kit';
import { useLive } from '@portal/app-kit/calls/live';
import { DocumentList } from '@portal/app-kit/documents/DocumentList';
import { UploadField } from '@portal/app-kit/documents/UploadField';
import { useUploads } from '@portal/app-kit/documents/uploads';
import { Form } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { documents } from '@portal/contract/documents/documents';
import { pages } from '@portal/contract/pages';
import { ticketQueueNames, ticketQueues, type TicketQueue, ticketStates } from '@portal/contract/tickets/queues';
import { type StaffTicket, tickets } from '@portal/contract/tickets/tickets';
import {
  Banner,
  Breadcrumb,
  Button,
  ButtonRow,
  Checkbox,
  DateText,
  Field,
  KeyValueList,
  Link,
  Select,
  Sheet,
  Stack,
  TextArea,
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
              messages={ticket.messages}
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
        {state === 'resolved' || state === 'rejected' ? (
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

function Answer({ ticketId }: { ticketId: string }) {
  const { notify } = useKit();
  const draft = useDraft(`desk-answer:${ticketId}`, { text: '' });
  const uploads = useUploads({ most: 5 });
  const [comment, setComment] = useState(false);
  const [then, setThen] = useState<Then>('stalled');
  const answer = useChange(tickets.answerStaffTicket, {
    refresh,
    showsErrors: true,
    onDone: (_, { body }) => {
      uploads.clear();
      form.reset();
      draft.discard();
      notify({ text: body.comment ? 'The comment is saved. Members don’t see it.' : 'The answer is sent.' });
    },
  });
  const form = useForm(
    tickets.answerStaffTicket.body,
    { text: '' },
    {
      name: 'desk-answer',
      draft,
      toBody: values => ({ ...values, comment, next: then, documentIds: uploads.documentIds }),
      ifEmpty: { text: 'Enter your answer' },
      change: answer,
      send: body => answer.mutate({ ticketId, body }),
    },
  );
  return (
    <div className={styles.reply}>
      <Form form={form} label="Answer">
        {!comment && <InsertTemplate text={form.values.text} onInsert={text => form.set({ text })} />}
        <Field label={comment ? 'Comment' : 'Answer to the member'} {...form.field('text')}>
          <TextArea rows={6} dir="auto" {...form.input('text')} />
        </Field>
        <Checkbox checked={comment} onChange={event => setComment(event.target.checked)}>
          Comment for registry staff only
        </Checkbox>
        {!comment && (
          <Field label="Then">
            <Select value={then} options={thens} onChange={event => setThen(event.target.value as Then)} />
          </Field>
        )}
        <UploadField label="Files" uploads={uploads} optional />
        <ButtonRow>
          <Button type="submit" variant="primary" busy={form.busy}>
            {comment ? 'Save the comment' : 'Send the answer'}
          </Button>
        </ButtonRow>
      </Form>
    </div>
  );
}
