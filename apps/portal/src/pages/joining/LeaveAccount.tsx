import { FailureBanner, reading, useChange, useKit } from '@portal/app-kit';
import type { Account } from '@portal/contract/accounts/accounts';
import { type Contact, contacts } from '@portal/contract/contacts/contacts';
import { pages } from '@portal/contract/pages';
import { Banner, DateText, Field, Link, SkeletonLines, Stack, TextArea } from '@portal/ui';
import { Dialog } from '@portal/ui/overlay/Dialog';
import { useQuery } from '@tanstack/react-query';
import { contactWords } from '@portal/app-kit/words/account-words';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { useAccountsAgain } from './accounts-again.ts';

type Props = { account: Account; onClose: () => void };

/** Confirms that the person leaves an account. A corporate contact needs the registry's approval, and can't leave as the last one. */
export function LeaveAccount({ account, onClose }: Props) {
  return (
    <Dialog open onClose={onClose} title={`Leave ${account.accountName}`}>
      {account.contactTypes.includes('corporate') ? (
        <LeaveAsCorporate account={account} onClose={onClose} />
      ) : (
        <LeaveForm account={account} onClose={onClose} />
      )}
    </Dialog>
  );
}

const leaves = ({ registryRequest }: Contact): boolean =>
  registryRequest !== null && (registryRequest.kind === 'remove' || !registryRequest.contactTypes.includes('corporate'));

function LeaveAsCorporate({ account, onClose }: Props) {
  const { call } = useKit();
  const { accountName } = account;
  const { data, error } = useQuery(
    reading(call, contacts.listContacts, { account: accountName, query: { type: 'corporate', limit: 500 } }),
  );
  if (error) return <FailureBanner failure={error} />;
  if (!data) return <SkeletonLines label="Loading corporate contacts" />;
  const waits = data.rows.find(row => row.isMe)?.registryRequest;
  if (waits)
    return (
      <Banner kind="pending" title="The registry hasn’t decided yet.">
        {waits.requestedBy} asked on <DateText value={waits.requestedAt} />. Until then you stay {contactWords(account.contactTypes)} of{' '}
        {accountName}.
      </Banner>
    );
  if (!data.rows.some(row => !row.isMe && row.status === 'active' && !leaves(row))) return <LastCorporateContact account={account} />;
  return <LeaveForm account={account} onClose={onClose} />;
}

function LastCorporateContact({ account: { accountName } }: Pick<Props, 'account'>) {
  const { supportUrl } = useKit().environment;
  const contactsOf = `/${encodeURIComponent(accountName)}/index.html?to=${pages.accountContacts.path}`;
  return (
    <Stack gap={12}>
      <Banner kind="warning" title="You are the only corporate contact.">
        An account needs at least one corporate contact.
      </Banner>
      <p>
        Make someone else a corporate contact first, under <Link href={contactsOf}>Account contacts</Link>. If there is no one, ask{' '}
        <Link href={supportUrl}>Support</Link> about the account.
      </p>
    </Stack>
  );
}

function LeaveForm({ account, onClose }: Props) {
  const { notify } = useKit();
  const accountsAgain = useAccountsAgain();
  const { accountName, contactTypes } = account;
  const waits = contactTypes.includes('corporate');
  const leave = useChange(contacts.leaveAccount, {
    refresh: [contacts.listContacts],
    showsErrors: true,
    onDone: ({ removed, words }) => {
      notify(
        removed
          ? { text: `You left ${accountName}.` }
          : {
              kind: 'info',
              text: words,
            },
      );
      onClose();
      if (removed) void accountsAgain();
    },
  });
  const form = useForm(
    contacts.leaveAccount.body,
    { reason: '' },
    {
      name: 'leave-account',
      change: leave,
      send: body => leave.mutate({ account: accountName, body }),
    },
  );
  if (leave.error?.code === 'LAST_CORPORATE_CONTACT') return <LastCorporateContact account={account} />;
  return (
    <ActForm form={form} act={waits ? 'Ask the registry' : 'Leave the account'} kind="danger" keep="Stay" onClose={onClose}>
      {waits ? (
        <p>
          The registry approves removing a corporate contact. All corporate contacts get an e-mail now and when it’s decided. Until then
          nothing changes. Once approved, you lose access to {accountName}.
        </p>
      ) : (
        <p>
          You lose access to {accountName} immediately, and your open requests there are cancelled. The corporate contacts get an e-mail. To
          come back you need an invitation or their approval. Your login stays as it is.
        </p>
      )}
      <Field
        label="Reason"
        optional
        help={waits ? 'For the registry and the corporate contacts.' : 'For the corporate contacts.'}
        {...form.field('reason')}
      >
        <TextArea rows={3} {...form.input('reason')} />
      </Field>
    </ActForm>
  );
}
