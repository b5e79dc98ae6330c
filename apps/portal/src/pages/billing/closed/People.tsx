import { read, useRead, useRefusal } from '@portal/app-kit';
import { contactWords } from '@portal/app-kit/words/account-words';
import type { Account } from '@portal/contract/accounts/accounts';
import { contacts } from '@portal/contract/contacts/contacts';
import { peopleWithAccess, type PersonWithAccess } from '@portal/contract/contacts/people-with-access';
import { Badge, Button, DateText, Sheet } from '@portal/ui';
import { useState } from 'react';
import styles from '../../../shell/People.module.css';
import { AccessEnd } from './AccessEnd.tsx';

const mayWords = ({ mayRead, mayPay, status }: PersonWithAccess): string => {
  if (status === 'invited') return 'Invited, and can’t accept while the account is closed';
  if (status === 'pending-registry') return 'Asked for, and awaiting the registry';
  if (mayPay) return mayRead ? 'Reads invoices, pays and can ask for the reopening' : 'Can pay and ask for the reopening';
  return mayRead ? 'Reads invoices' : 'Sees no invoices';
};

/** The people who still have access to a closed account; each can leave it, and those who manage contacts withdraw the access of others. */
export function People({ account }: { account: Account }) {
  const { accountName: name } = account;
  const people = useRead(read(peopleWithAccess.listPeopleWithAccess, { account: name }));
  const [ending, setEnding] = useState<PersonWithAccess | null>(null);
  const refusal = useRefusal(contacts.removeContact);
  const withdraws = account.permissions.includes('contacts-details-update');
  const isCorporate = account.contactTypes.includes('corporate');
  return (
    <Sheet
      flush
      title="People with access"
      meta={people.length === 1 ? undefined : `${people.length} people`}
      footer={
        withdraws && refusal && people.length > 1 ? (
          <>
            <span className="small quiet">You can’t withdraw the access of others: {refusal.reason}</span> {refusal.ask}
          </>
        ) : (
          people.some(({ isLastPayer }) => isLastPayer) && (
            <span className="small quiet">
              At least one person who can pay stays. To name another person while the account is closed, write to the registry.
            </span>
          )
        )
      }
    >
      <ul className={styles.list} aria-label={`People with access to ${name}`}>
        {people.map(person => {
          const { contactId, fullName, email, contactTypes, isMe, isLastPayer, removalAskedAt } = person;
          // A corporate contact is for other corporate contacts to remove. What keeps the reader from it is said once, below.
          const canEnd = isMe || (withdraws && !refusal && (isCorporate || !contactTypes.includes('corporate')));
          return (
            <li key={contactId}>
              <div className={styles.words}>
                <span className="strong">{fullName}</span> {isMe && <Badge kind="line">you</Badge>}
                <div className="small quiet">
                  {email !== null && `${email}, `}
                  {contactWords(contactTypes)}
                </div>
                <div className="small">{mayWords(person)}</div>
              </div>
              {removalAskedAt !== null ? (
                <span className="small quiet">
                  Removal sent to the registry on <DateText value={removalAskedAt} shape="date" />
                </span>
              ) : isLastPayer ? (
                <span className="small quiet">The only person who can pay</span>
              ) : (
                canEnd && (
                  <Button
                    size="s"
                    aria-label={isMe ? `Leave ${name}` : `Withdraw the access of ${fullName}`}
                    onClick={() => setEnding(person)}
                  >
                    {isMe ? 'Leave' : 'Withdraw access'}
                  </Button>
                )
              )}
            </li>
          );
        })}
      </ul>
      {ending && <AccessEnd account={account} person={ending} onClose={() => setEnding(null)} />}
    </Sheet>
  );
}
