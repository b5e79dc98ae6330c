import { useAccount, useChange, useKit } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { type Contact, contacts } from '@portal/contract/contacts/contacts';
import { Field, TextInput } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';

/** Changes the address of a contact: it applies once a link sent there was opened, and the old one can revert it for a day. */
export function ContactEmail({ contact, onClose }: { contact: Contact; onClose: () => void }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const options = {
    refresh: [contacts.listContacts],
    showsErrors: true,
    onDone: () => {
      notify({ text: `Link sent to ${form.values.email.trim()}. Until it’s opened, ${contact.email} stays in use.` });
      onClose();
    },
  };
  const own = useChange(contacts.changeOwnEmail, options);
  const others = useChange(contacts.changeContactEmail, options);
  const change = contact.isMe ? own : others;
  const form = useForm(
    contacts.changeOwnEmail.body,
    { email: '' },
    {
      name: 'contact-email',
      toBody: ({ email }) => ({ version: contact.version, email }),
      change,
      send: body => (contact.isMe ? own.mutate({ account, body }) : others.mutate({ account, contactId: contact.contactId, body })),
    },
  );
  return (
    <Dialog open onClose={onClose} title={`Change e-mail of ${contact.isMe ? 'yours' : contact.fullName}`}>
      <ActForm form={form} act="Send the link" onClose={onClose}>
        <p>
          Currently {contact.email}. The new address gets a link and is used once the link is opened. The old address gets a notice and can
          undo the change for 24 hours. The login doesn’t change.
        </p>
        <Field label="New e-mail address" {...form.field('email')}>
          <TextInput type="email" {...form.input('email')} />
        </Field>
      </ActForm>
    </Dialog>
  );
}
