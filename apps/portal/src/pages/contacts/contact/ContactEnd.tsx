import { useAccount, useAddress, useChange, useKit } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { accounts } from '@portal/contract/accounts/accounts';
import { type Contact, contacts } from '@portal/contract/contacts/contacts';
import { Banner, Field, TextArea } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { useContactRequest } from '../contact-acts.ts';
import { isCorporate } from '../contact-form.ts';
import { whyNotRemovable } from '../contact-edit-mode.ts';

export type End = 'remove' | 'withdraw' | 'leave' | 'ask';

/** Ends a contact after showing the consequences: removal, withdrawal of an invitation, leaving, or a request to others. */
export function ContactEnd({ contact, end, onClose }: { contact: Contact; end: End; onClose: () => void }) {
  const { accountName, contactTypes } = useAccount();
  const { notify, router } = useKit();
  const address = useAddress();
  const { contactId, version, fullName, email } = contact;
  const away = () => address.set({ contact: null, act: null });
  const ended = (removed: boolean) => {
    notify({
      ...(removed ? {} : { kind: 'info' as const }),
      text: removed
        ? `${end === 'leave' ? 'Your role' : `${fullName} is`} no longer a contact of ${accountName}.`
        : 'Sent to the registry. Nothing changes until it decides.',
    });
    away();
  };
  const options = { refresh: [contacts.listContacts], showsErrors: true };
  const remove = useChange(contacts.removeContact, { ...options, onProposed: away, onDone: ({ removed }) => ended(removed) });
  const leave = useChange(contacts.leaveAccount, {
    showsErrors: true,
    refresh: [accounts.listAccounts],
    onDone({ removed }) {
      ended(removed);
      if (removed) router.go('/member-account-settings/my-accounts');
    },
  });
  const withdraw = useChange(contacts.revokeInvitation, {
    ...options,
    onDone() {
      notify({ text: `The invitation of ${fullName} was withdrawn.` });
      away();
    },
  });
  const ask = useContactRequest(away);
  const registry = isCorporate(contact) && contact.status === 'active';
  const toCome = contact.status === 'pending-registry';
  const account = accountName;
  const acts = {
    remove: {
      title: toCome ? `Withdraw the request for ${fullName}?` : `Remove ${fullName}?`,
      act: registry ? 'Ask the registry' : toCome ? 'Withdraw' : 'Remove the contact',
      change: remove,
      send: (reason: string) => remove.mutate({ account, contactId, body: { version, reason } }),
    },
    withdraw: {
      title: `Withdraw the invitation of ${fullName}?`,
      act: 'Withdraw',
      change: withdraw,
      send: () => withdraw.mutate({ account, contactId, body: { version } }),
    },
    leave: {
      title: `Leave ${accountName}?`,
      act: registry ? 'Ask the registry' : 'Leave the account',
      change: leave,
      send: (reason: string) => leave.mutate({ account, body: { reason } }),
    },
    ask: {
      title: `Ask to remove ${fullName}?`,
      act: 'Ask',
      change: ask,
      send: (reason: string) => ask.mutate({ account, body: { kind: 'remove-contact', contactId, version, reason } }),
    },
  }[end];
  const stays = end === 'remove' || end === 'withdraw' ? whyNotRemovable(contact, { contactTypes }) : null;
  // The four acts take the same reason.
  const form = useForm(
    contacts.leaveAccount.body,
    { reason: '' },
    {
      name: 'contact-end',
      change: acts.change,
      send: ({ reason }) => acts.send(reason),
    },
  );
  return (
    <Dialog open onClose={onClose} title={acts.title} role="alertdialog">
      <ActForm
        form={form}
        act={acts.act}
        kind={end === 'ask' || registry ? 'commit' : 'danger'}
        keep={end === 'leave' ? 'Stay' : end === 'withdraw' || toCome ? 'Cancel' : `Keep ${fullName}`}
        onClose={onClose}
      >
        <Consequences contact={contact} end={end} registry={registry} email={email} account={accountName} />
        {end !== 'withdraw' && !toCome && (
          <Field label={registry ? 'Reason for the registry' : 'Reason'} optional {...form.field('reason')}>
            <TextArea rows={2} {...form.input('reason')} />
          </Field>
        )}
        {stays && !acts.change.error && <Banner kind="error">{stays}</Banner>}
      </ActForm>
    </Dialog>
  );
}

function Consequences({
  contact,
  end,
  registry,
  email,
  account,
}: {
  contact: Contact;
  end: End;
  registry: boolean;
  email: string;
  account: string;
}) {
  if (end === 'withdraw')
    return (
      <p>
        The link sent to {email} stops working, and {contact.fullName} doesn’t become a contact of {account}.
      </p>
    );
  if (end === 'ask') return <p>People who can approve it get an e-mail. Until one of them approves, {contact.fullName} stays a contact.</p>;
  if (contact.status === 'pending-registry')
    return (
      <p>
        The request is closed, and {contact.fullName} doesn’t become a contact of {account}.
      </p>
    );
  const who = end === 'leave' ? 'you' : contact.fullName;
  const verb = end === 'leave' ? 'speak' : 'speaks';
  if (registry)
    return (
      <p>
        As corporate contact {who} {verb} for the member, so the registry decides. Until it does, nothing changes; then every permission in{' '}
        {account} ends immediately.
      </p>
    );
  const held = contact.permissions?.length;
  return (
    <p>
      {held === undefined ? 'All permissions' : `All ${held} permissions`} in {account} end immediately, and what{' '}
      {end === 'leave' ? 'you' : 'this person'} asked for there is cancelled. The login and other accounts stay as they are.{' '}
      {end === 'leave' ? 'You' : contact.fullName} and all corporate contacts get an e-mail.
    </p>
  );
}
