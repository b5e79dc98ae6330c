import { useAddress, useChange, useDraft, useKit } from '@portal/app-kit';
import { UploadField } from '@portal/app-kit/documents/UploadField';
import { useUploads } from '@portal/app-kit/documents/uploads';
import { Form } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { ticketQueueNames, ticketQueues, type TicketQueue } from '@portal/contract/tickets/queues';
import { tickets } from '@portal/contract/tickets/tickets';
import { Banner, Button, ButtonRow, Field, Select, Sheet, TextArea, TextInput } from '@portal/ui';
import { useEffect, useRef } from 'react';
import { optionalPart } from '@portal/app-kit/page/later';

const HelpSuggestions = optionalPart(() => import('../../shell/help/HelpSuggestions.tsx'), 'HelpSuggestions');

type Written = { queue: TicketQueue; subject: string; text: string; about: string; cc: string };

/** Writes to the registry: for the account where the permissions of the queue allow it, else for the person. */
export function NewTicket({
  queue,
  account,
  writes,
  onClose,
}: {
  queue: TicketQueue;
  account: string | null;
  /** Queues in which the person writes for the account. */
  writes: readonly TicketQueue[];
  onClose: () => void;
}) {
  const address = useAddress();
  const { notify } = useKit();
  const initial: Written = {
    queue,
    subject: (address.get('subject') ?? '').slice(0, 200),
    text: '',
    about: address.get('about') ?? '',
    cc: '',
  };
  const draft = useDraft<Written>(`ticket:${account ?? ''}:${queue}`, initial);
  const uploads = useUploads({ most: 5 });
  const open = useChange(tickets.openTicket, {
    refresh: [tickets.listTickets],
    showsErrors: true,
    onDone: ({ ticketId, queue: of }) => {
      draft.discard();
      notify({ text: `Ticket ${ticketId} is open. We answer here and by e-mail.` });
      address.go(`/contact/${of}/ticket/${ticketId}`);
    },
  });
  const forAccount = (of: TicketQueue): string | null => (account !== null && (of === 'events' || writes.includes(of)) ? account : null);
  const form = useForm(tickets.openTicket.body, initial, {
    name: 'ticket',
    draft,
    also: ['files'],
    toBody: ({ cc, ...values }) => ({
      ...values,
      account: forAccount(values.queue),
      cc: forAccount(values.queue) === null ? [] : cc.split(/[\s,;]+/).filter(Boolean),
      documentIds: uploads.documentIds,
    }),
    ifEmpty: { subject: 'Enter a subject', text: 'Enter what it’s about' },
    check: () => ({ files: uploads.problem }),
    fieldOfCode: { TICKET_ACCOUNT: 'queue', TICKET_COPY: 'cc' },
    change: open,
    send: body => open.mutate({ body }),
  });
  const { values, set, field, input } = form;
  const subject = useRef<HTMLInputElement>(null);
  // The button that opened it is gone.
  useEffect(() => subject.current?.focus(), []);
  const isFor = forAccount(values.queue);
  return (
    <Sheet title="New ticket" meta={<span>{isFor ? `for ${isFor}` : 'for yourself'}</span>}>
      <Form form={form} label="New ticket" onClose={onClose}>
        <Field label="Queue" help={ticketQueues[values.queue].words} {...field('queue')}>
          <Select
            value={values.queue}
            options={ticketQueueNames.map(name => ({ value: name, label: ticketQueues[name].label }))}
            onChange={event => set({ queue: event.target.value as TicketQueue })}
          />
        </Field>
        {account !== null && isFor === null && (
          <Banner kind="info">
            You don’t have the permission to write for {account} in this queue, so this is a ticket of your own. Only you see it, and we
            can’t answer questions about the account in it.
          </Banner>
        )}
        <Field label="Subject" {...field('subject')}>
          <TextInput ref={subject} dir="auto" {...input('subject')} />
        </Field>
        <HelpSuggestions text={`${values.subject} ${values.text.slice(0, 100)}`} />
        <Field label="Message" {...field('text')}>
          <TextArea rows={7} dir="auto" {...input('text')} />
        </Field>
        <Field label="About" help="A prefix, AS number, invoice or request, such as 198.51.100.0/24." optional {...field('about')}>
          <TextInput spellCheck={false} {...input('about')} />
        </Field>
        {isFor !== null && (
          <Field label="Copy to" help={`E-mail addresses of up to 5 contacts of ${isFor}. They get the answers.`} optional {...field('cc')}>
            <TextInput {...input('cc')} maxLength={1500} />
          </Field>
        )}
        <UploadField id={field('files').id} label="Files" uploads={uploads} error={field('files').error} optional />
        <ButtonRow>
          <Button type="submit" variant="primary" busy={form.busy}>
            Send
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </ButtonRow>
      </Form>
    </Sheet>
  );
}
