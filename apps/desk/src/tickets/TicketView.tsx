import { reading, useAnswer, useChange, useDraft, useKit, useRefusal, useSession, useSteadyAnswer } from '@portal/app-kit';
import { useLive } from '@portal/app-kit/calls/live';
import { DocumentList } from '@portal/app-kit/documents/DocumentList';
import { UploadField } from '@portal/app-kit/documents/UploadField';
import { useUploads } from '@portal/app-kit/documents/uploads';
import { Form } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { Timeline } from '@portal/app-kit/tickets/Timeline';
import { ticketStyles as styles } from '@portal/app-kit/tickets/ticket-styles';
import { documents } from '@portal/contract/documents/documents';
import { pages } from '@portal/contract/pages';
import { type CaseNotes, staffCases } from '@portal/contract/staff/cases';
import { isTicketOver, type TicketQueue, ticketQueueNames, ticketQueues } from '@portal/contract/tickets/queues';
import { type StaffTicket, tickets } from '@portal/contract/tickets/tickets';
import { Banner, Button, ButtonRow, Field, KeyValueList, Link, Select, Sheet, Stack, TextArea, TextInput } from '@portal/ui';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { CaseHead } from '../shell/cases/CaseHead.tsx';
import { CaseLayout } from '../shell/cases/CaseLayout.tsx';
import type { Act } from '../shell/cases/Decision.tsx';
import { leaveField, useDeskKeys } from '../shell/cases/desk-keys.ts';
import { Key } from '../shell/cases/Key.tsx';
import { useNeighbours } from '../shell/cases/neighbours.ts';
import { OpenCaseContext, type Passed, useOpenCase } from '../shell/cases/open-case.ts';
import { ChooseThen } from '../shell/ChooseThen.tsx';
import { InsertTemplate, ReplyContext } from '../shell/InsertTemplate.tsx';
import { ticketStateOf } from '../shell/cases/state-words.ts';
import { useTicketFilters } from './ticket-filters.ts';

const refresh = [tickets.getStaffTicket, tickets.listStaffTickets];
const againMs = 15_000;

/** One ticket at the desk, in the lay-out of every case: what it is about, the conversation with the answer, internal notes, and how it is sorted. */
export function TicketView({ ticketId }: { ticketId: string }) {
  const { call } = useKit();
  const { data: ticket } = useSuspenseQuery({ ...reading(call, tickets.getStaffTicket, { ticketId }), refetchInterval: againMs });
  useLive('ticket', refresh, ticketId);
  const notes = useAnswer(staffCases.getCase, { kind: 'tickets', caseId: ticketId });
  const queue = useTicketQueue(ticketId);
  const [passed, setPassed] = useState<Passed | null>(null);
  const { subject, requestor, accountName } = ticket;
  return (
    <OpenCaseContext value={{ named: { kind: 'tickets', caseId: ticketId }, next: queue.next, passed, onPassed: setPassed, onNoAct: null }}>
      <ReplyContext value={{ kind: 'tickets', account: accountName, request: ticketId, contact: requestor }}>
        <CaseHead
          queue={queue}
          notes={notes}
          title={`${ticketId} ${subject}`}
          heading={<bdi>{subject}</bdi>}
          crumbs={[{ label: pages.deskTickets.title, href: queue.list }, { label: ticketId }]}
        >
          <TicketParts ticket={ticket} handlerId={notes.handlerId} onPassed={setPassed} />
        </CaseHead>
      </ReplyContext>
    </OpenCaseContext>
  );
}

/** Tickets through which the keys of the page move. */
const MAX_BESIDE = 100;

/** The ways to the neighbours in the list that the ticket was opened from, by the filters in the address. */
function useTicketQueue(ticketId: string) {
  const { router } = useKit();
  const { query, hrefOf } = useTicketFilters();
  const { answer } = useSteadyAnswer(tickets.listStaffTickets, { query: { ...query, limit: MAX_BESIDE } });
  const { next, previous } = useNeighbours({
    rows: answer.rows,
    isOpen: row => row.ticketId === ticketId,
    nameOf: row => row.ticketId,
    isPassedOn: row => row.state === 'stalled',
  });
  const to = (row: { ticketId: string } | null) => (row ? () => router.go(hrefOf(row.ticketId)) : null);
  return {
    next: to(next),
    previous: to(previous),
    list: hrefOf(null),
    back: () => router.go(hrefOf(null)),
  };
}

function TicketParts({
  ticket,
  handlerId,
  onPassed,
}: {
  ticket: StaffTicket;
  handlerId: CaseNotes['handlerId'];
  onPassed: (how: Passed) => void;
}) {
  const { ticketId, accountName, state } = ticket;
  const { notify } = useKit();
  const { person } = useSession();
  const refusal = useRefusal(tickets.changeStaffTicket);
  const answering = useRefusal(tickets.answerStaffTicket);
  const change = useChange(tickets.changeStaffTicket, {
    refresh: [...refresh, staffCases.getCase],
    onDone: () => notify({ text: `Ticket ${ticketId} is changed.` }),
  });
  const send = (body: Parameters<typeof change.mutate>[0]['body'], isDecision = false): void =>
    change.mutate({ ticketId, body }, { onSuccess: () => isDecision && onPassed('decided') });
  const act = (name: string, label: string, variant: Act['variant'], press: () => void): Act => ({
    name,
    label,
    variant,
    consequence: '',
    busy: change.isPending,
    send: press,
  });
  const acts = [
    handlerId === person.userId
      ? { ...act('give-back', 'Give it back', 'quiet', () => send({ take: false })), letter: 't' }
      : act('review', handlerId === null ? 'Take it' : 'Take over', 'quiet', () => send({ take: true })),
    ...(isTicketOver(state)
      ? [act('approve', 'Open again', 'default', () => send({ state: 'open' }))]
      : [
          { ...act('refuse', 'Close without an answer', 'danger', () => send({ state: 'rejected' }, true)), letter: 'x' },
          act('approve', 'Mark as solved', 'default', () => send({ state: 'resolved' }, true)),
        ]),
  ];
  return (
    <CaseLayout
      acts={acts}
      refusal={refusal}
      overtaken={null}
      about={ticket.owner ? `With ${ticket.owner}` : 'Taken by no one yet'}
      facts={
        ticket.unverified && (
          <Banner kind="warning">
            This person did not write for an account. Don’t answer questions about accounts here: only registered contacts get such answers.
          </Banner>
        )
      }
      conversation={
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
          {!answering?.hides && <Answer ticketId={ticketId} />}
        </Sheet>
      }
      beside={
        <>
          <TicketFacts ticket={ticket} busy={change.isPending} onQueue={refusal?.hides ? null : queue => send({ queue })} />
          <InternalNotes ticket={ticket} />
        </>
      }
    />
  );
}

/** The facts of a ticket: its subject, who wrote it, and its queue. */
function TicketFacts({ ticket, busy, onQueue }: { ticket: StaffTicket; busy: boolean; onQueue: ((queue: TicketQueue) => void) | null }) {
  const { accountName, fromRegistry, queue, requestor, requestorEmail, state, tie } = ticket;
  return (
    <Sheet title="Ticket">
      <Stack gap={12}>
        <KeyValueList
          align="left"
          items={[
            ...(ticket.isTalk ? [{ key: 'From', value: 'Talk to us. The person may be waiting in the portal' }] : []),
            {
              key: fromRegistry ? 'Written to' : 'Opened by',
              value: (
                <>
                  <bdi>{requestor}</bdi> <span className="quiet small">{requestorEmail}</span>
                </>
              ),
            },
            { key: 'State', value: ticketStateOf(state).words },
            ...(onQueue ? [] : [{ key: 'Queue', value: ticketQueues[queue].label }]),
            { key: 'Account', value: accountName ? <Link href={`/desk/accounts/${accountName}`}>{accountName}</Link> : 'none' },
            ...(tie ? [{ key: 'About', value: <span className="mono">{tie.text}</span> }] : []),
            { key: 'Copied in', value: ticket.cc.map(({ email }) => email).join(', ') || 'no one' },
            { key: 'Taken by', value: ticket.owner ?? 'no one yet' },
          ]}
        />
        {onQueue && (
          <ChooseThen
            label="Queue"
            letter="s"
            act="Move"
            value={queue}
            busy={busy}
            options={ticketQueueNames.map(name => ({ value: name, label: ticketQueues[name].label }))}
            onAct={onQueue}
          />
        )}
      </Stack>
    </Sheet>
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
  const { onPassed } = useOpenCase();
  const around = useRef<HTMLDivElement>(null);
  const toText = () => around.current?.querySelector('textarea')?.focus();
  useDeskKeys({ c: toText, r: toText }, { r: 'Answer the member' });
  const answer = useChange(tickets.answerStaffTicket, {
    // Answering takes the ticket and changes its state, which the head and the bar read from the notes of the case.
    refresh: [...refresh, staffCases.getCase],
    showsErrors: true,
    onDone: () => {
      uploads.clear();
      form.reset();
      draft.discard();
      notify({ text: `Ticket ${ticketId}: the answer is sent.` });
      if (then === 'open') leaveField();
      else onPassed(then === 'stalled' ? 'asked' : 'decided');
    },
  });
  const form = useForm(
    tickets.answerStaffTicket.body,
    { text: '', asks: '' },
    {
      name: 'desk-answer',
      draft,
      also: ['files'],
      check: () => ({ files: uploads.problem }),
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
    <div ref={around} className={styles.reply}>
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
        <UploadField label="Files" uploads={uploads} optional {...form.field('files')} />
        <ButtonRow>
          <Button type="submit" variant="primary" busy={form.busy} aria-keyshortcuts="c">
            Send the answer <Key name="c" />
          </Button>
        </ButtonRow>
      </Form>
    </div>
  );
}

/** Notes among registry staff, on a sheet of their own: nothing on it leaves the desk. */
function InternalNotes({ ticket: { ticketId, messages } }: { ticket: StaffTicket }) {
  const { notify } = useKit();
  const refusal = useRefusal(tickets.answerStaffTicket);
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
      leaveField();
    },
  });
  const form = useForm(
    tickets.answerStaffTicket.body,
    { text: '' },
    {
      name: 'desk-note',
      draft,
      also: ['files'],
      check: () => ({ files: uploads.problem }),
      toBody: values => ({ ...values, comment: true, documentIds: uploads.documentIds }),
      ifEmpty: { text: 'Enter a note' },
      change: save,
      send: body => save.mutate({ ticketId, body }),
    },
  );
  const around = useRef<HTMLDivElement>(null);
  useDeskKeys({ n: () => around.current?.querySelector('textarea')?.focus() });
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
      {!refusal?.hides && (
        <div ref={around} className={styles.reply}>
          <Form form={form} label="Internal note">
            <Field label="Note for registry staff" {...form.field('text')}>
              <TextArea rows={3} dir="auto" {...form.input('text')} />
            </Field>
            <UploadField label="Files for registry staff" uploads={uploads} optional {...form.field('files')} />
            <ButtonRow>
              <Button type="submit" size="s" busy={form.busy} aria-keyshortcuts="n">
                Save the note <Key name="n" />
              </Button>
            </ButtonRow>
          </Form>
        </div>
      )}
    </Sheet>
  );
}
