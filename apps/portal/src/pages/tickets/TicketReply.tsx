import { useChange, useDraft, useKit } from '@portal/app-kit';
import { UploadField } from '@portal/app-kit/documents/UploadField';
import { useUploads } from '@portal/app-kit/documents/uploads';
import { Form } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { ticketStyles } from '@portal/app-kit/tickets/ticket-styles';
import { type Ticket, tickets } from '@portal/contract/tickets/tickets';
import { Button, Checkbox, DateText, Field, Icon, Row, TextArea } from '@portal/ui';
import styles from './Ticket.module.css';

const refresh = [tickets.getTicket, tickets.getTicketContext, tickets.listTickets];
const empty = { text: '', solved: false };

/** The reply form of a ticket: its draft is kept, and the reply may solve the ticket. */
export function TicketReply({ ticket, now }: { ticket: Ticket; now: number }) {
  const { ticketId, writable, state, reopenableUntil, messages } = ticket;
  const { notify } = useKit();
  const draft = useDraft(`answer:${ticketId}`, empty);
  const uploads = useUploads({ most: 5 });
  const answer = useChange(tickets.answerTicket, {
    refresh,
    showsErrors: true,
    onDone: (_, { body }) => {
      uploads.clear();
      form.reset();
      draft.discard();
      notify({ text: body.solved ? 'Your reply is sent, and the ticket is marked as solved.' : 'Your reply is sent.' });
    },
  });
  const form = useForm(tickets.answerTicket.body, empty, {
    name: 'answer',
    draft,
    also: ['files'],
    toBody: values => ({ ...values, documentIds: uploads.documentIds }),
    ifEmpty: { text: 'Enter your reply' },
    check: () => ({ files: uploads.problem }),
    change: answer,
    send: body => answer.mutate({ ticketId, body }),
  });
  const tooLate = state === 'rejected' || (reopenableUntil !== null && Date.parse(reopenableUntil) < now);
  if (!writable || tooLate)
    return (
      <p className={`${ticketStyles.reply} small quiet`}>
        {tooLate ? 'This ticket is closed.' : 'You can read this ticket, but not write in it.'}
      </p>
    );
  const from = messages.findLast(({ kind, by }) => kind === 'message' && by === 'staff')?.author.split(' ')[0];
  return (
    <div className={ticketStyles.reply}>
      <Form form={form} label="Reply">
        <Field label={state === 'resolved' ? 'Reply and reopen the ticket' : from ? `Reply to ${from}` : 'Reply'} {...form.field('text')}>
          <TextArea rows={5} dir="auto" {...form.input('text')} />
        </Field>
        {draft.savedAt !== null && form.values.text !== '' && (
          <p className={styles.saved}>
            <Icon name="valid" /> Draft saved <DateText value={draft.savedAt} shape="time" /> on this device, only you see it
          </p>
        )}
        <UploadField id={form.field('files').id} label="Files" uploads={uploads} error={form.field('files').error} optional />
        <Row gap={12} wrap>
          <Button type="submit" variant="primary" busy={form.busy}>
            Send reply
          </Button>
          <Checkbox checked={form.values.solved} onChange={event => form.set({ solved: event.target.checked })}>
            This answers it, mark as solved
          </Checkbox>
        </Row>
      </Form>
    </div>
  );
}
