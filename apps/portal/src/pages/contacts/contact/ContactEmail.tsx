import { ErrorWords, useAccount, useChange, useKit } from '@portal/app-kit';
import { type Contact, contacts } from '@portal/contract/contacts/contacts';
import { Banner, Button, ButtonRow, Field, Stack, TextInput } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { useState } from 'react';

/** Asks for another address of a contact: it counts once a link sent there was opened, and the old one can take it back for a day. */
export function ContactEmail({ contact, onClose }: { contact: Contact; onClose: () => void }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const [email, setEmail] = useState('');
  const options = {
    refresh: [contacts.listContacts],
    showsErrors: true,
    onDone: () => {
      notify({ text: `Link sent to ${email.trim()}. Until it’s opened, ${contact.email} stays in use.` });
      onClose();
    },
  };
  const own = useChange(contacts.changeOwnEmail, options);
  const others = useChange(contacts.changeContactEmail, options);
  const change = contact.isMe ? own : others;
  const body = { version: contact.version, email: email.trim() };
  return (
    <Dialog open onClose={onClose} title={`Change e-mail of ${contact.isMe ? 'yours' : contact.fullName}`}>
      <form
        onSubmit={event => {
          event.preventDefault();
          if (contact.isMe) own.mutate({ account, body });
          else others.mutate({ account, contactId: contact.contactId, body });
        }}
      >
        <Stack gap={12}>
          <p>
            Currently {contact.email}. The new address gets a link and is used once the link is opened. The old address gets a notice and
            can undo the change for 24 hours. The login doesn’t change.
          </p>
          {change.error && (
            <Banner kind="error" traceId={change.error.errors[0]?.traceId}>
              <ErrorWords message={change.error.message} />
            </Banner>
          )}
          <Field label="New e-mail address">
            <TextInput
              type="email"
              required
              maxLength={254}
              autoComplete="off"
              value={email}
              onChange={event => setEmail(event.target.value)}
            />
          </Field>
          <ButtonRow>
            <Button type="submit" variant="commit" busy={change.isPending}>
              Send the link
            </Button>
            <Button onClick={onClose}>Cancel</Button>
          </ButtonRow>
        </Stack>
      </form>
    </Dialog>
  );
}
