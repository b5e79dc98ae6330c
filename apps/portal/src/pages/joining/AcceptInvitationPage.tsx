import { FailureBanner, Page, reading, useChange, useKit, useSession } from '@portal/app-kit';
import { type Invitation, invitations } from '@portal/contract/contacts/invitations';
import { pages } from '@portal/contract/pages';
import {
  Banner,
  Button,
  ButtonRow,
  Checkbox,
  DateText,
  Disclosure,
  EmptyState,
  FormColumn,
  KeyValueList,
  Link,
  LinkButton,
  Sheet,
  Stack,
} from '@portal/ui';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { contactWords } from '@portal/app-kit/words/account-words';
import { PermissionWords } from '../PermissionWords.tsx';
import { useAccountsAgain } from './accounts-again.ts';
import styles from './AcceptInvitationPage.module.css';
import { changedMeanwhile, whyEnded } from './invitation-words.ts';
import { DeclineDialog, MailedLink } from './MailedLink.tsx';

const title = pages.acceptInvitation.title;

/** `/accept-invitation/{acceptanceToken}`: shows an invitation, to accept or decline. */
export default function AcceptInvitationPage() {
  const { call } = useKit();
  return (
    <MailedLink
      title={title}
      param="acceptanceToken"
      read={acceptanceToken => reading(call, invitations.getInvitation, { acceptanceToken })}
      unknown={{
        code: 'INVITATION_NOT_FOUND',
        title: 'Invitation not found',
        ask: 'the person who invited you to send it again',
      }}
    >
      {(invitation, acceptanceToken) => (
        <Page
          title={title}
          heading={`Invitation to ${invitation.accountName}`}
          sub={`${invitation.invitedBy} asks you to become a ${contactWords(invitation.contactTypes)} of ${invitation.orgName.replace(/\.$/, '')}.`}
        >
          <Answer invitation={invitation} acceptanceToken={acceptanceToken} />
        </Page>
      )}
    </MailedLink>
  );
}

/** The part below the title: the offer while it is open; afterwards its result and the next step. */
function Answer({ invitation, acceptanceToken }: { invitation: Invitation; acceptanceToken: string }) {
  const { accounts } = useSession();
  const { supportUrl } = useKit().environment;
  const [declined, setDeclined] = useState(false);
  const said = useRef<HTMLDivElement>(null);
  const { accountName, invitedBy, state } = invitation;
  useEffect(() => {
    if (declined) said.current?.focus();
  }, [declined]);
  if (declined)
    return (
      <div ref={said} tabIndex={-1} className={styles.said}>
        <Sheet flush>
          <EmptyState
            title={`You declined the invitation to ${accountName}`}
            picture={false}
            action={<LinkButton href="/">Go to the start page</LinkButton>}
          >
            {invitedBy} got an e-mail. If that was a mistake, ask for a new invitation. This one no longer works.
          </EmptyState>
        </Sheet>
      </div>
    );
  const ended = whyEnded(invitation);
  if (!ended) return <Offer invitation={invitation} acceptanceToken={acceptanceToken} onDeclined={() => setDeclined(true)} />;
  const own = accounts.some(account => account.accountName === accountName);
  if (own && (state === 'used' || state === 'already-contact'))
    return (
      <Sheet flush>
        <EmptyState
          title={`You are a contact of ${accountName}`}
          picture={false}
          action={<LinkButton href={`/${encodeURIComponent(accountName)}/index.html`}>Open {accountName}</LinkButton>}
        >
          This login can already act for the account.
        </EmptyState>
      </Sheet>
    );
  return (
    <Sheet flush>
      <EmptyState
        title={ended.title}
        action={
          state === 'account-closed' ? (
            <LinkButton href={supportUrl}>Support</LinkButton>
          ) : (
            <LinkButton href={pages.myAccounts.path}>My accounts</LinkButton>
          )
        }
      >
        {ended.words}
      </EmptyState>
    </Sheet>
  );
}

function Offer({ invitation, acceptanceToken, onDeclined }: { invitation: Invitation; acceptanceToken: string; onDeclined: () => void }) {
  const { router, notify } = useKit();
  const { selectAccount } = useSession();
  const accountsAgain = useAccountsAgain();
  const answers = useQueryClient();
  const { accountName, orgName, contactTypes, permissions, invitedBy, sentAt, expiresAt, email, emailMatch } = invitation;
  const [confirmed, setConfirmed] = useState(false);
  const [declining, setDeclining] = useState(false);
  const become = contactWords(contactTypes);

  const enter = async () => {
    await accountsAgain();
    selectAccount(accountName);
    router.go('/');
    notify({
      text: `You are ${become} of ${accountName} now.`,
      link: { href: pages.myPermissions.path, label: 'Your permissions' },
    });
  };
  const accept = useChange(invitations.acceptInvitation, { showsErrors: true, onDone: () => void enter() });
  const decline = useChange(invitations.declineInvitation, { showsErrors: true, onDone: onDeclined });
  const onError = ({ code }: { code: string }) => {
    if (!changedMeanwhile.includes(code)) return;
    setDeclining(false);
    void answers.invalidateQueries({ queryKey: [invitations.getInvitation.id] });
  };
  const failure = accept.error ?? decline.error;
  const reason =
    emailMatch === 'refused'
      ? `Only a login with the verified address ${email} can accept it`
      : emailMatch === 'confirm' && !confirmed
        ? `Confirm: ${mineWords(invitation)}`
        : null;
  return (
    <FormColumn>
      <FailureBanner failure={failure} />
      <Sheet>
        <KeyValueList
          align="left"
          items={[
            { key: 'Organisation', value: orgName },
            { key: 'Account', value: accountName },
            { key: 'You become', value: become },
            { key: 'Invited by', value: invitedBy },
            { key: 'Sent', value: <DateText value={sentAt} /> },
            { key: 'Open until', value: <DateText value={expiresAt} /> },
          ]}
        />
        <div className={styles.part}>
          <Disclosure summary="What you’ll be able to do" open>
            {contactTypes.includes('corporate') ? (
              <p>Everything: corporate contacts act for the member and have every permission.</p>
            ) : permissions.length > 0 ? (
              <PermissionWords held={permissions} />
            ) : (
              <p>No permissions yet. Corporate contacts can grant them later.</p>
            )}
          </Disclosure>
        </div>
        <Addresses invitation={invitation} confirmed={confirmed} onConfirm={setConfirmed} />
        <div className={styles.part}>
          <ButtonRow>
            <Button
              variant="primary"
              busy={accept.isPending}
              refusal={reason === null ? null : { reason }}
              onClick={() => accept.mutate({ acceptanceToken, body: { otherEmailConfirmed: confirmed } }, { onError })}
            >
              Accept
            </Button>
            <Button onClick={() => setDeclining(true)}>Decline</Button>
          </ButtonRow>
        </div>
      </Sheet>
      <DeclineDialog
        what={`the invitation to ${accountName}`}
        open={declining}
        onClose={() => setDeclining(false)}
        busy={decline.isPending}
        onAct={() => decline.mutate({ acceptanceToken }, { onError })}
      >
        You don’t become a contact of {accountName}, and {invitedBy} gets an e-mail. The link stops working. If you change your mind, ask
        for a new invitation.
      </DeclineDialog>
    </FormColumn>
  );
}

const sameAddress = ({ email, ownEmail }: Invitation): boolean => email.toLowerCase() === ownEmail.toLowerCase();
const mineWords = (invitation: Invitation): string => (sameAddress(invitation) ? 'This address is mine' : 'Both addresses are mine');

/** The invited address and that of the login, if they are not one verified address. */
function Addresses({
  invitation,
  confirmed,
  onConfirm,
}: {
  invitation: Invitation;
  confirmed: boolean;
  onConfirm: (confirmed: boolean) => void;
}) {
  const { profileUrl } = useKit().environment;
  const { email, ownEmail, emailMatch, contactTypes } = invitation;
  if (emailMatch === 'same') return null;
  const unverified = sameAddress(invitation);
  const words = unverified ? (
    <p>
      Your login has this address, but it isn’t verified. Verify it under <Link href={profileUrl}>your login</Link>.
    </p>
  ) : (
    <KeyValueList
      align="left"
      items={[
        { key: 'Invited', value: email },
        { key: 'Your login', value: ownEmail },
      ]}
    />
  );
  if (emailMatch === 'refused')
    return (
      <div className={styles.part}>
        <Banner kind="warning" title={unverified ? 'Your login’s address isn’t verified.' : 'The invitation was sent to another address.'}>
          This invitation is for a {contactWords(contactTypes)}, who acts for the member. It can only be accepted with the address it was
          sent to.
        </Banner>
        {words}
        {!unverified && (
          <Stack gap={8} style={{ justifyItems: 'start' }}>
            <p>
              If {email} is yours, log out, open the link in the e-mail again and log in or register with that address. Otherwise ask for an
              invitation to {ownEmail}.
            </p>
            <LinkButton size="s" icon="sign-out" href={pages.logout.path}>
              Log out
            </LinkButton>
          </Stack>
        )}
      </div>
    );
  return (
    <div className={styles.part}>
      <Banner kind="warning" title={unverified ? 'Your login’s address isn’t verified.' : 'The invitation was sent to another address.'}>
        {unverified ? '' : 'The member invited the owner of that address.'}
      </Banner>
      {words}
      <Checkbox checked={confirmed} onChange={event => onConfirm(event.target.checked)}>
        {mineWords(invitation)}
      </Checkbox>
    </div>
  );
}
