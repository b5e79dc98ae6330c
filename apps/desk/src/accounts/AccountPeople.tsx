import { useDateFormat } from '@portal/app-kit';
import { dayIn } from '@portal/contract/days';
import type { AccountSheet } from '@portal/contract/staff/desk';
import { EmptyState, Sheet, StateMark } from '@portal/ui';
import { Initials } from '../shell/Initials.tsx';
import { asHeading, signInInWords } from './account-words.ts';
import styles from './Picture.module.css';

type Contact = AccountSheet['contacts'][number];

/** The contacts of an account with their factor and last sign-in, then the people who ask to become some. */
export function AccountPeople({ sheet: { at, contacts, contactCount, asking } }: { sheet: AccountSheet }) {
  return (
    <Sheet
      flush
      id="contacts"
      title="People"
      meta={<span>{contactCount === 1 ? '1 contact' : `${contactCount} contacts`}</span>}
      footer={contactCount > contacts.length && `The first ${contacts.length} contacts.`}
    >
      {contacts.length + asking.length === 0 ? (
        <EmptyState title="This account has no contacts" picture={false}>
          Contacts appear here once someone is added or linked.
        </EmptyState>
      ) : (
        <ul className={styles.people}>
          {contacts.map(contact => (
            <Person key={contact.contactId} contact={contact} at={at} />
          ))}
          {asking.map(({ requestId, name, contactTypes }) => (
            <li key={`asks ${requestId}`}>
              <span className={styles.asks}>
                <Initials name={name} />
              </span>
              <span className="quiet">
                <bdi>{name}</bdi>
                <small>Asks for {contactTypes.length === 0 ? 'access' : contactTypes.join(', ')}</small>
              </span>
              <StateMark plain state="not-found">
                Asked
              </StateMark>
            </li>
          ))}
        </ul>
      )}
    </Sheet>
  );
}

function Person({ contact, at }: { contact: Contact; at: string }) {
  const { contactTypes, email, fullName, hasLogin, lastSignInAt, status, votes } = contact;
  const { timeZone } = useDateFormat();
  const today = dayIn(timeZone, new Date(at));
  const words = [
    contactTypes.join(', '),
    votes && 'votes',
    hasLogin && signInInWords(lastSignInAt === null ? null : dayIn(timeZone, new Date(lastSignInAt)), today),
  ];
  return (
    <li>
      <Initials name={fullName} />
      <span>
        <bdi>{fullName}</bdi>
        <small>{asHeading(words.filter(Boolean).join(', '))}</small>
        <small>{email}</small>
      </span>
      {status === 'active' ? (
        <Factor contact={contact} />
      ) : (
        <StateMark plain state="pending">
          {asHeading(status.replaceAll('-', ' '))}
        </StateMark>
      )}
    </li>
  );
}

function Factor({ contact: { hasLogin, hasPasskey, hasSecondFactor, passwordAlone } }: { contact: Contact }) {
  if (!hasLogin)
    return (
      <StateMark plain state="not-found">
        No login
      </StateMark>
    );
  if (hasSecondFactor)
    return (
      <StateMark plain state="valid">
        {hasPasskey ? 'Passkey' : '2FA'}
      </StateMark>
    );
  return (
    <StateMark plain state={passwordAlone ? 'warning' : 'not-found'}>
      {passwordAlone ? 'No 2FA' : 'No password'}
    </StateMark>
  );
}
