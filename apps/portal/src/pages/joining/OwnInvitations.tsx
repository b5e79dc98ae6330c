import { reading, useChange, useKit } from '@portal/app-kit';
import { invitations } from '@portal/contract/contacts/invitations';
import { Button, DateText, Sheet } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { contactWords } from '@portal/app-kit/words/account-words';
import { useAccountsAgain } from './accounts-again.ts';
import styles from './LinkRequests.module.css';

/** Reads the open invitations to the verified address of the person's login. */
export function useOwnInvitations() {
  const { call } = useKit();
  return useQuery(reading(call, invitations.listOwnInvitations, {}));
}

/** Invitations to the verified address of the person's login, which can be answered without the e-mail. Renders nothing without any. */
export function OwnInvitations() {
  const { notify } = useKit();
  const accountsAgain = useAccountsAgain();
  const { data } = useOwnInvitations();
  const refresh = [invitations.listOwnInvitations];
  const accept = useChange(invitations.acceptOwnInvitation, {
    refresh,
    onDone: ({ accountName }) => {
      notify({ text: `You are a contact of ${accountName} now.` });
      void accountsAgain();
    },
  });
  const decline = useChange(invitations.declineOwnInvitation, { refresh, onDone: () => notify({ text: 'You declined the invitation.' }) });
  if (!data || data.length === 0) return null;
  return (
    <Sheet title="You are invited" flush>
      <ul className={styles.requests}>
        {data.map(({ invitationId, accountName, orgName, contactTypes, invitedBy, expiresAt }) => (
          <li key={invitationId}>
            <div className={styles.words}>
              <div className="strong">
                {accountName} <span className="quiet">{orgName}</span>
              </div>
              <div className="small quiet">
                as {contactWords(contactTypes)}, by {invitedBy}; open until <DateText value={expiresAt} shape="date" />
              </div>
            </div>
            <Button
              size="s"
              variant="primary"
              aria-label={`Accept the invitation to ${accountName}`}
              busy={accept.isPending && accept.variables.invitationId === invitationId}
              onClick={() => accept.mutate({ invitationId })}
            >
              Accept
            </Button>
            <Button size="s" aria-label={`Decline the invitation to ${accountName}`} onClick={() => decline.mutate({ invitationId })}>
              Decline
            </Button>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}
