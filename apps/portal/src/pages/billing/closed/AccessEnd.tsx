import { useChange, useKit } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import type { Account } from '@portal/contract/accounts/accounts';
import { contacts } from '@portal/contract/contacts/contacts';
import { peopleWithAccess, type PersonWithAccess } from '@portal/contract/contacts/people-with-access';
import { pages } from '@portal/contract/pages';
import { Field, TextArea } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { useAccountsAgain } from '../../joining/accounts-again.ts';

type Props = { account: Account; person: PersonWithAccess; onClose: () => void };

/** Ends the access of a person to a closed account, after showing what that means: one's own, or that of another person. */
export function AccessEnd({ account: { accountName: account }, person, onClose }: Props) {
  const { notify, router } = useKit();
  const accountsAgain = useAccountsAgain();
  const { contactId, version, fullName, contactTypes, isMe, status } = person;
  const asksRegistry = status === 'active' && contactTypes.includes('corporate');
  const ended = (removed: boolean, words: string) => {
    notify(
      removed ? { text: isMe ? `You left ${account}.` : `${fullName} no longer has access to ${account}.` } : { kind: 'info', text: words },
    );
    onClose();
  };
  const options = { refresh: [peopleWithAccess.listPeopleWithAccess], showsErrors: true };
  const remove = useChange(contacts.removeContact, { ...options, onDone: ({ removed, words }) => ended(removed, words) });
  const leave = useChange(contacts.leaveAccount, {
    ...options,
    onDone: ({ removed, words }) => {
      ended(removed, words);
      if (!removed) return;
      router.go(pages.myAccounts.path);
      void accountsAgain();
    },
  });
  const form = useForm(
    contacts.leaveAccount.body,
    { reason: '' },
    {
      name: 'access-end',
      change: isMe ? leave : remove,
      send: ({ reason }) =>
        isMe ? leave.mutate({ account, body: { reason } }) : remove.mutate({ account, contactId, body: { version, reason } }),
    },
  );
  const who = isMe ? 'You' : fullName;
  return (
    <Dialog open onClose={onClose} title={isMe ? `Leave ${account}?` : `Withdraw the access of ${fullName}?`} role="alertdialog">
      <ActForm
        form={form}
        act={asksRegistry ? 'Ask the registry' : isMe ? 'Leave the account' : 'Withdraw access'}
        kind={asksRegistry ? 'commit' : 'danger'}
        keep={isMe ? 'Stay' : `Keep ${fullName}`}
        onClose={onClose}
      >
        {asksRegistry ? (
          <p>
            The registry approves the removal of a corporate contact. Until it decides, nothing changes. Then{' '}
            {isMe ? 'you no longer see' : `${fullName} no longer sees`} the invoices of {account}, also if it’s opened again.
          </p>
        ) : (
          <p>
            {who} immediately {isMe ? 'lose' : 'loses'} sight of the invoices of {account}, also if it’s opened again.{' '}
            {isMe ? 'You' : 'This person'} and the corporate contacts get an e-mail. New people can’t be invited while the account is
            closed.
            {!isMe && ' If changes of this account need a second person, the registry decides first.'}
          </p>
        )}
        <Field label="Reason" optional {...form.field('reason')}>
          <TextArea rows={2} {...form.input('reason')} />
        </Field>
      </ActForm>
    </Dialog>
  );
}
