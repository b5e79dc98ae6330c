import { useAccount, useSession } from '@portal/app-kit';
import type { Contact } from '@portal/contract/contacts/contacts';
import { Button, DateText, KeyValueList, Link, Panel } from '@portal/ui';
import { useConfirmation } from './contact-acts.ts';
import { SecondFactorMark } from './ContactMarks.tsx';
import styles from './Contact.module.css';
import { listWords } from './contact-words.ts';

/** When the contact joined, confirmed the details and last signed in. */
export function ContactFacts({ contact }: { contact: Contact }) {
  const { person } = useSession();
  const { accountName } = useAccount();
  const confirmation = useConfirmation();
  const { invitation } = contact;
  return (
    <Panel
      title={contact.isMe ? `You in ${accountName}` : 'At a glance'}
      footer={
        contact.isMe &&
        contact.confirmationDue && (
          <Button busy={confirmation.isPending} onClick={() => confirmation.mutate({ account: accountName })}>
            My details are right
          </Button>
        )
      }
    >
      <KeyValueList
        items={[
          { key: 'Added', value: <DateText value={contact.addedAt} shape="date" /> },
          ...(invitation
            ? [
                {
                  key: 'Invited',
                  value: (
                    <>
                      <DateText value={invitation.sentAt} shape="date" /> by {invitation.invitedBy}
                    </>
                  ),
                },
                {
                  key: invitation.state === 'expired' ? 'Expired' : 'Open until',
                  value: <DateText value={invitation.expiresAt} shape="date" />,
                },
              ]
            : []),
          ...(contact.status === 'active'
            ? [
                { key: 'Details confirmed', value: contact.confirmedAt ? <DateText value={contact.confirmedAt} shape="date" /> : 'never' },
                ...(contact.hasSecondFactor === null ? [] : [{ key: 'Two-factor', value: <SecondFactorMark contact={contact} /> }]),
                ...(contact.permissions === null
                  ? []
                  : [
                      {
                        key: 'Last sign-in',
                        value: contact.lastSignInAt ? <DateText value={contact.lastSignInAt} shape="date" /> : 'none known',
                      },
                    ]),
              ]
            : []),
          ...(contact.isMe && person.email.toLowerCase() !== contact.email.toLowerCase() ? [{ key: 'Login', value: person.email }] : []),
        ]}
      />
      {contact.dormant && (
        <p className={styles.note}>
          {contact.fullName} hasn’t signed in for six months. Should this person still act for {accountName}?
        </p>
      )}
      {contact.isMe && (
        <p className={styles.note}>
          <Link href="/member-account-settings/my-permissions">Your permissions and how to ask for more</Link>
        </p>
      )}
      {!contact.permissions && (
        <p className={styles.note}>You don’t have permission to see the permissions of {listWords([contact.fullName])}.</p>
      )}
    </Panel>
  );
}
