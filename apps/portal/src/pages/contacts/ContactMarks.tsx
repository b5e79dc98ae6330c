import type { Contact } from '@portal/contract/contacts/contacts';
import { Badge, DateText, Icon, StateMark } from '@portal/ui';
import type { ReactNode } from 'react';
import styles from './ContactMarks.module.css';
import { registryWords } from './contact-words.ts';

/** Marks of a contact: invited, waiting for the registry, dormant, details to confirm. */
export function ContactMarks({ contact, none = null }: { contact: Contact; none?: ReactNode }) {
  const marks = marksOf(contact);
  if (marks.length === 0) return none;
  return <span className={styles.marks}>{marks}</span>;
}

function marksOf({ status, invitation, registryRequest, dormant, confirmationDue, helperUntil }: Contact): ReactNode[] {
  const marks: ReactNode[] = [];
  if (helperUntil)
    marks.push(
      <Badge key="helper" icon="clock">
        <span>
          helper until <DateText value={helperUntil} shape="date" />
        </span>
      </Badge>,
    );
  if (registryRequest)
    marks.push(
      <span key="registry" title={registryWords(registryRequest)}>
        <StateMark state="pending">
          {registryRequest.kind === 'remove' ? 'removal awaiting the registry' : 'awaiting the registry'}
        </StateMark>
      </span>,
    );
  if (status === 'invited' && invitation)
    marks.push(
      invitation.state === 'expired' ? (
        <StateMark key="invited" state="warning">
          invitation expired
        </StateMark>
      ) : invitation.state === 'declined' ? (
        <StateMark key="invited" state="closed">
          invitation declined
        </StateMark>
      ) : (
        <Badge key="invited" icon="mail">
          <span>
            invited, open until <DateText value={invitation.expiresAt} shape="date" />
          </span>
        </Badge>
      ),
    );
  if (dormant)
    marks.push(
      <Badge key="dormant" icon="clock">
        dormant
      </Badge>,
    );
  if (confirmationDue)
    marks.push(
      <Badge key="confirmation" icon="calendar">
        confirmation due
      </Badge>,
    );
  return marks;
}

/** Whether the login of a contact has a second factor; nothing if the viewer may not know or there is no login yet. */
export function SecondFactorMark({ contact: { status, hasSecondFactor } }: { contact: Contact }) {
  if (hasSecondFactor === null || status !== 'active') return null;
  return hasSecondFactor ? (
    <span className={styles.on}>
      <Icon name="shield" /> On
    </span>
  ) : (
    <StateMark state="warning">Off</StateMark>
  );
}
