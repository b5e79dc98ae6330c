import { ErrorWords, useAccount, useChange, useKit } from '@portal/app-kit';
import { type Contact, contacts } from '@portal/contract/contacts/contacts';
import { utcDay } from '@portal/contract/days';
import { Banner, Button, ButtonRow, Field, Stack, TextInput } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { useState } from 'react';

/** Returns the day for a date field: a helper's time ends with it, at midnight UTC. */
const lastDay = (until: string): string => utcDay(Date.parse(until) - 1);

/** Until when a helper acts for the account: later, or sooner. */
export function HelperEnd({ contact, until, onClose }: { contact: Contact; until: string; onClose: () => void }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const [day, setDay] = useState(lastDay(until));
  const { contactId, version, fullName } = contact;
  const change = useChange(contacts.setHelperEnd, {
    refresh: [contacts.listContacts],
    showsErrors: true,
    onDone: () => {
      notify({ text: `${fullName} helps ${account} until ${day}, no longer.` });
      onClose();
    },
  });
  return (
    <Dialog open onClose={onClose} title={`Until when ${fullName} helps`}>
      <form
        onSubmit={event => {
          event.preventDefault();
          change.mutate({ account, contactId, body: { version, until: day } });
        }}
      >
        <Stack gap={12}>
          {change.error && (
            <Banner kind="error" traceId={change.error.errors[0]?.traceId}>
              <ErrorWords message={change.error.message} />
            </Banner>
          )}
          <Field label="Last day (UTC)" help="At most a year ahead. Access ends automatically.">
            <TextInput type="date" required value={day} onChange={event => setDay(event.target.value)} />
          </Field>
          <ButtonRow>
            <Button type="submit" variant="commit" busy={change.isPending}>
              Save
            </Button>
            <Button onClick={onClose}>Cancel</Button>
          </ButtonRow>
        </Stack>
      </form>
    </Dialog>
  );
}
