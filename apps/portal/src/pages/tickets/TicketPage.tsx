import { later } from '@portal/app-kit/page/later';
import { Page, reading, useChange, useDraft, useKit, usePlace } from '@portal/app-kit';
import { useLive } from '@portal/app-kit/calls/live';
import { DocumentList } from '@portal/app-kit/documents/DocumentList';
import { UploadField } from '@portal/app-kit/documents/UploadField';
import { useUploads } from '@portal/app-kit/documents/uploads';
import { Form } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { DAY_MS, instantAfter } from '@portal/contract/days';
import { findPage, pages } from '@portal/contract/pages';
import { queueNamed, ticketDays, ticketQueues } from '@portal/contract/tickets/queues';
import { type Ticket, tickets } from '@portal/contract/tickets/tickets';
import { Breadcrumb, Button, ButtonRow, DateText, Field, KeyValueList, Link, Sheet, Stack, StateMark, TextArea } from '@portal/ui';
import { useSuspenseQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ticketStyles as styles } from '@portal/app-kit/tickets/ticket-styles';
import { sinceInWords, spanOf, stateMark } from './ticket-words.ts';
import { Timeline } from '@portal/app-kit/tickets/Timeline';

const NotFoundPage = later(() => import('../NotFoundPage.tsx'), 'default');
/** Answers to a ticket on the screen appear immediately for the people in it, and within this time for everyone else. */
const againMs = 15_000;
const refresh = [tickets.getTicket, tickets.listTickets];

/** `/contact/{queue}/ticket/{ticketId}`: one ticket with live answers, and the reply form. */
export default function TicketPage() {
  const { product } = useKit().environment;
  const { queue, ticketId } = findPage(usePlace().path, product).params;
  if (queueNamed(queue ?? '') === null || !/^\d{1,15}$/.test(ticketId ?? '')) return <NotFoundPage />;
  return <OneTicket key={ticketId} ticketId={ticketId!} />;
}

function OneTicket({ ticketId }: { ticketId: string }) {
  const { call } = useKit();
  const { data: ticket, dataUpdatedAt: now } = useSuspenseQuery({
    ...reading(call, tickets.getTicket, { ticketId }),
    refetchInterval: againMs,
  });
  useLive('ticket', refresh, ticketId);
  const { mutate: markRead } = useChange(tickets.readTicket, { refresh: [tickets.listTickets] });
  const latest = ticket.messages.at(-1)?.messageId;
  const { unread } = ticket;
  useEffect(() => {
    if (unread) markRead({ ticketId });
  }, [unread, latest, ticketId, markRead]);
  const { queue, subject, requestor, createdAt, cc, state, tie, accountName, minutesWithUs, minutesWithYou } = ticket;
  const mark = stateMark(state);
  const list = pages.tickets.path.replace('{queue}', queue);
  return (
    <Page
      title={`${ticketId} ${subject}`}
      heading={<bdi>{subject}</bdi>}
      sub={
        <>
          <span className="mono">{ticketId}</span>, {ticketQueues[queue].label}, opened by <bdi>{requestor}</bdi>{' '}
          <DateText value={createdAt} />
        </>
      }
      breadcrumb={<Breadcrumb items={[{ label: pages.tickets.title, href: list }, { label: ticketId }]} />}
      actions={ticket.writable && (state === 'new' || state === 'open' || state === 'stalled') && <Solve ticketId={ticketId} />}
    >
      <div className={styles.ticket}>
        <Sheet flush aria-label="Messages">
          <NextMove ticket={ticket} now={now} />
          <Timeline
            messages={ticket.messages}
            files={message =>
              message.files.length > 0 && (
                <DocumentList papers={message.files} opens={tickets.openTicketFile} inputOf={documentId => ({ ticketId, documentId })} />
              )
            }
          />
          <Reply ticket={ticket} now={now} />
        </Sheet>
        <Stack gap={16}>
          <Sheet title="Ticket">
            <KeyValueList
              align="left"
              items={[
                { key: 'State', value: <StateMark state={mark.state}>{mark.words}</StateMark> },
                { key: 'For', value: accountName ?? 'yourself' },
                ...(tie
                  ? [{ key: 'About', value: tie.link ? <Link href={tie.link}>{tie.text}</Link> : <span className="mono">{tie.text}</span> }]
                  : []),
                { key: 'Copied in', value: cc.length === 0 ? 'no one' : cc.map(({ name }) => name).join(', ') },
                { key: 'With us', value: spanOf(minutesWithUs) },
                { key: 'With you', value: minutesWithYou === 0 ? 'no time' : spanOf(minutesWithYou) },
                ...(ticket.firstAnswerAt ? [{ key: 'First answer', value: <DateText value={ticket.firstAnswerAt} /> }] : []),
              ]}
            />
          </Sheet>
        </Stack>
      </div>
    </Page>
  );
}

/** Who has the next move, since when, and what happens without it. */
function NextMove({ ticket: { state, waitingSince, reopenableUntil }, now }: { ticket: Ticket; now: number }) {
  if (state === 'stalled')
    return (
      <div className={styles.move} data-you>
        <b className="strong">Waiting for your answer</b>
        <p>
          Without one we remind you after {ticketDays.remind} days and mark the ticket as solved on{' '}
          <DateText value={instantAfter(Date.parse(waitingSince), ticketDays.solve * DAY_MS)} shape="date" />. You can open it again for{' '}
          {ticketDays.reopen} days.
        </p>
      </div>
    );
  if (state === 'resolved' || state === 'rejected')
    return (
      <div className={styles.move}>
        <b className="strong">{stateMark(state).words}</b>
        {state === 'resolved' && reopenableUntil && (
          <p>
            Answer until <DateText value={reopenableUntil} shape="date" /> to open it again.
          </p>
        )}
      </div>
    );
  return (
    <div className={styles.move}>
      <b className="strong">With us for {sinceInWords(waitingSince, now)}</b>
      <p>The registry has the next move. You can add something at any time.</p>
    </div>
  );
}

function Solve({ ticketId }: { ticketId: string }) {
  const { notify } = useKit();
  const close = useChange(tickets.closeTicket, { refresh, onDone: () => notify({ text: `Ticket ${ticketId} is marked as solved.` }) });
  return (
    <Button busy={close.isPending} onClick={() => close.mutate({ ticketId })}>
      Mark as solved
    </Button>
  );
}

function Reply({ ticket: { ticketId, writable, state, reopenableUntil }, now }: { ticket: Ticket; now: number }) {
  const { notify } = useKit();
  const draft = useDraft(`answer:${ticketId}`, { text: '' });
  const uploads = useUploads({ most: 5 });
  const answer = useChange(tickets.answerTicket, {
    refresh,
    showsErrors: true,
    onDone: () => {
      uploads.clear();
      form.reset();
      draft.discard();
      notify({ text: 'Your answer is sent.' });
    },
  });
  const form = useForm(
    tickets.answerTicket.body,
    { text: '' },
    {
      name: 'answer',
      draft,
      also: ['files'],
      toBody: values => ({ ...values, documentIds: uploads.documentIds }),
      ifEmpty: { text: 'Enter your answer' },
      check: () => ({ files: uploads.sending ? 'Files are still being uploaded' : undefined }),
      change: answer,
      send: body => answer.mutate({ ticketId, body }),
    },
  );
  const tooLate = state === 'rejected' || (reopenableUntil !== null && Date.parse(reopenableUntil) < now);
  if (!writable || tooLate)
    return (
      <p className={`${styles.reply} small quiet`}>
        {tooLate ? 'This ticket is closed.' : 'You can read this ticket, but not write in it.'}
      </p>
    );
  return (
    <div className={styles.reply}>
      <Form form={form} label="Answer">
        <Field label={state === 'resolved' ? 'Answer and reopen the ticket' : 'Answer'} {...form.field('text')}>
          <TextArea rows={5} dir="auto" {...form.input('text')} />
        </Field>
        <UploadField id={form.field('files').id} label="Files" uploads={uploads} error={form.field('files').error} optional />
        <ButtonRow>
          <Button type="submit" variant="primary" busy={form.busy}>
            Send answer
          </Button>
        </ButtonRow>
      </Form>
    </div>
  );
}
