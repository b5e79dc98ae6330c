import { useChange, useKit, useRefusal } from '@portal/app-kit';
import { roles, type StaffInvitation } from '@portal/contract/roles/roles';
import { Button, DateText, Sheet } from '@portal/ui';
import styles from './Staff.module.css';

/** Invitations that their people have not accepted yet. Renders nothing without any. */
export function Invitations({ invitations }: { invitations: readonly StaffInvitation[] }) {
  const { notify } = useKit();
  const refusal = useRefusal(roles.revokeStaffInvitation);
  const revoke = useChange(roles.revokeStaffInvitation, {
    refresh: [roles.listStaff],
    onDone: () => notify({ text: 'The invitation is withdrawn. Its link no longer works.' }),
  });
  if (invitations.length === 0) return null;
  return (
    <Sheet title="Invited" meta={<span className="quiet small">They accept with the login they have. Nothing is given before.</span>}>
      <ul className={styles.held}>
        {invitations.map(({ invitationId, fullName, email, role, invitedBy, sentAt, expiresAt }) => (
          <li key={invitationId}>
            <span>
              <b>
                <bdi>{fullName}</bdi>
              </b>
              , {role}
              <span className={styles.email}>
                {email}, invited by {invitedBy} on <DateText value={sentAt} shape="date" />, until{' '}
                <DateText value={expiresAt} shape="date" />
              </span>
            </span>
            <Button
              size="s"
              refusal={refusal}
              refusalIn="note"
              busy={revoke.isPending}
              aria-label={`Withdraw the invitation of ${fullName}`}
              onClick={() => revoke.mutate({ invitationId })}
            >
              Withdraw
            </Button>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}
