import { useChange, useKit } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { type TicketContext, tickets } from '@portal/contract/tickets/tickets';
import { Button, ButtonRow, Field, Select } from '@portal/ui';

/** Copies a contact of the account in a ticket. */
export function CopyPerson({
  ticketId,
  colleagues,
  onClose,
}: {
  ticketId: string;
  colleagues: TicketContext['colleagues'];
  onClose: () => void;
}) {
  const { notify } = useKit();
  const copy = useChange(tickets.copyTicket, {
    refresh: [tickets.getTicket, tickets.getTicketContext, tickets.listTickets],
    showsErrors: true,
    onDone: (_, { body }) => {
      notify({ text: `${colleagues.find(({ email }) => email === body.email)?.name ?? body.email} gets the answers from now on.` });
      onClose();
    },
  });
  const form = useForm(
    tickets.copyTicket.body,
    { email: colleagues[0]!.email },
    {
      name: 'copy-person',
      fieldOfCode: { TICKET_COPY: 'email', NOTHING_TO_DO: 'email' },
      change: copy,
      send: body => copy.mutate({ ticketId, body }),
    },
  );
  return (
    <Form form={form} label="Add a person" onClose={onClose}>
      <Field label="Contact to copy in" help="They get the answers, and can reply." {...form.field('email')}>
        <Select {...form.input('email')} options={colleagues.map(({ name, email }) => ({ value: email, label: name }))} />
      </Field>
      <ButtonRow>
        <Button type="submit" size="s" variant="primary" busy={form.busy}>
          Copy in
        </Button>
        <Button size="s" onClick={onClose}>
          Cancel
        </Button>
      </ButtonRow>
    </Form>
  );
}
