import { useAddress, useChange, useDraft, useKit } from '@portal/app-kit';
import { UploadField } from '@portal/app-kit/documents/UploadField';
import { useUploads } from '@portal/app-kit/documents/uploads';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { Form, type FormFrame } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { pages } from '@portal/contract/pages';
import { accountPictures } from '@portal/contract/staff/account-pictures';
import type { AccountSheet } from '@portal/contract/staff/desk';
import { type TicketQueue, ticketDays, ticketQueueNames, ticketQueues } from '@portal/contract/tickets/queues';
import { tickets } from '@portal/contract/tickets/tickets';
import { Button, ButtonRow, Checkbox, Field, Select, TextArea, TextInput } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import type { ReactNode } from 'react';
import styles from './WriteToAccount.module.css';

type Written = { to: string; cc: string[]; queue: TicketQueue; subject: string; text: string; asks: string };

/** Contacts who are offered to be copied in; there can be hundreds. */
const OFFERED = 12;

type Props = {
  accountName: string;
  /** Its active ones, at least one. */
  contacts: AccountSheet['contacts'];
  /** The subject it begins with, such as the reference of a case; the page of the case then stays open. */
  about?: string;
  /** Null for the form that stands on the page of the account. */
  onClose: (() => void) | null;
};

/** Writes to contacts of an account as the registry, over the page. */
export const WriteToAccount = (props: Props & { onClose: () => void }) => (
  <Dialog open onClose={props.onClose} title={`Write to ${props.accountName}`} size="l">
    <WriteForm {...props} />
  </Dialog>
);

/** The message to contacts of an account: a ticket that waits for their answer. */
export function WriteForm({ accountName, contacts, about = '', onClose }: Props) {
  const { notify } = useKit();
  const address = useAddress();
  const initial: Written = { to: contacts[0]!.contactId, cc: [], queue: 'helpdesk', subject: about, text: '', asks: '' };
  const draft = useDraft<Written>(`${onClose ? 'write' : 'contact'}:${accountName}:${about}`, initial);
  const uploads = useUploads({ most: 5 });
  const write = useChange(tickets.openStaffTicket, {
    refresh: [tickets.listStaffTickets, accountPictures.getAccountPicture],
    showsErrors: true,
    onDone: ({ ticketId, requestor }) => {
      draft.discard();
      notify({ text: `Ticket ${ticketId} is sent to ${requestor}.` });
      if (about === '') address.go(`${pages.deskTickets.path}?ticket=${ticketId}`);
      else onClose?.();
    },
  });
  const form = useForm(tickets.openStaffTicket.body, initial, {
    name: onClose ? 'write' : 'contact',
    draft,
    also: ['files'],
    check: () => ({ files: uploads.problem }),
    toBody: values => ({ ...values, documentIds: uploads.documentIds }),
    ifEmpty: { subject: 'Enter a subject', text: 'Enter your message' },
    change: write,
    send: body => write.mutate({ accountName, body }),
  });
  const { values, set, field, input } = form;
  const others = contacts.filter(({ contactId }) => contactId !== values.to).slice(0, OFFERED);
  const copy = (contactId: string, isCopied: boolean) =>
    set({ cc: isCopied ? [...values.cc, contactId] : values.cc.filter(each => each !== contactId) });
  return (
    <MessageFrame form={form} accountName={accountName} onClose={onClose}>
      <p className={onClose ? undefined : 'small muted'}>
        They get an e-mail, and answer it or the ticket in the portal. Contacts who see tickets of its queue read it too. Without an answer
        it’s solved after {ticketDays.solve} days, with a reminder before.
      </p>
      <Field label="To" {...field('to')}>
        <Select
          value={values.to}
          options={contacts.map(({ contactId, fullName, contactTypes }) => ({
            value: contactId,
            label: [fullName, contactTypes.join(', ')].filter(Boolean).join(', '),
          }))}
          onChange={({ target }) => set({ to: target.value, cc: values.cc.filter(each => each !== target.value) })}
        />
      </Field>
      {others.length > 0 && (
        <fieldset className={styles.copies} id={field('cc').id}>
          <legend>Copy in</legend>
          {others.map(({ contactId, fullName }) => (
            <Checkbox key={contactId} checked={values.cc.includes(contactId)} onChange={({ target }) => copy(contactId, target.checked)}>
              {fullName}
            </Checkbox>
          ))}
          {field('cc').error && <p className="small">{field('cc').error}</p>}
        </fieldset>
      )}
      <Field label="Queue" help={ticketQueues[values.queue].words} {...field('queue')}>
        <Select
          value={values.queue}
          options={ticketQueueNames.map(name => ({ value: name, label: ticketQueues[name].label }))}
          onChange={({ target }) => set({ queue: target.value as TicketQueue })}
        />
      </Field>
      <Field label="Subject" {...field('subject')}>
        <TextInput dir="auto" {...input('subject')} />
      </Field>
      <Field label="Message" {...field('text')}>
        <TextArea rows={6} dir="auto" {...input('text')} />
      </Field>
      <Field label="What you need" help="In a line, at the head of the ticket, such as: Send the signed form." optional {...field('asks')}>
        <TextInput dir="auto" {...input('asks')} />
      </Field>
      <UploadField label="Files" uploads={uploads} optional {...field('files')} />
    </MessageFrame>
  );
}

/** The form in a dialog, which can be cancelled, or on the page. */
function MessageFrame({
  form,
  accountName,
  onClose,
  children,
}: {
  form: FormFrame;
  accountName: string;
  onClose: (() => void) | null;
  children: ReactNode;
}) {
  if (onClose)
    return (
      <ActForm form={form} act="Send" onClose={onClose}>
        {children}
      </ActForm>
    );
  return (
    <Form form={form} label={`Message to ${accountName}`}>
      {children}
      <ButtonRow>
        <Button type="submit" variant="commit" busy={form.busy}>
          Send the message
        </Button>
      </ButtonRow>
    </Form>
  );
}
