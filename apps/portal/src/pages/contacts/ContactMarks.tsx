import type { Contact } from '@portal/contract/contacts';
import { Badge, DateText, Row, StateMark } from '@portal/ui';
import type { ReactNode } from 'react';
import { registryWords } from './contact-words.ts';

/** What is worth knowing of a contact at a glance: invited, waiting for the registry, dormant, without second factor, to confirm the details. */
export function ContactMarks({ contact, none = null }: { contact: Contact; none?: ReactNode }) {
  const marks = marksOf(contact);
  if (marks.length === 0) return none;
  return (
    <Row gap={4} wrap>
      {marks}
    </Row>
  );
}

function marksOf({ status, invitation, registryRequest, dormant, hasSecondFactor, confirmationDue }: Contact): ReactNode[] {
  const marks: ReactNode[] = [];
  if (registryRequest)
    marks.push(
      <span key="registry" title={registryWords(registryRequest)}>
        <StateMark state="pending">{registryRequest.kind === 'REMOVE' ? 'removal waits for the registry' : 'waits for the registry'}</StateMark>
      </span>,
    );
  if (status === 'INVITED' && invitation)
    marks.push(
      invitation.state === 'EXPIRED' ? (
        <StateMark key="invited" state="warning">
          invitation expired
        </StateMark>
      ) : invitation.state === 'DECLINED' ? (
        <StateMark key="invited" state="closed">
          invitation declined
        </StateMark>
      ) : (
        <Badge key="invited" icon="mail">
          invited, open until <DateText value={invitation.expiresAt} shape="date" />
        </Badge>
      ),
    );
  if (dormant)
    marks.push(
      <Badge key="dormant" icon="clock">
        dormant
      </Badge>,
    );
  if (status === 'ACTIVE' && hasSecondFactor === false)
    marks.push(
      <StateMark key="factor" state="warning">
        no second factor
      </StateMark>,
    );
  if (confirmationDue)
    marks.push(
      <Badge key="confirmation" icon="calendar">
        confirmation due
      </Badge>,
    );
  return marks;
}
