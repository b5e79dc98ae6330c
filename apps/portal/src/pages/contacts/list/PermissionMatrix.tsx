import { useAccount, useAddress, useRead } from '@portal/app-kit';
import { defaultPermissions, type Permission, permissionGroups, permissionKeys, permissions, whyNotGrantable } from '@portal/contract';
import type { Contact } from '@portal/contract/contacts/contacts';
import type { PermissionFactors } from '@portal/contract/permission-factors';
import { Icon, Sheet } from '@portal/ui';
import { allContactsOf, useAllContacts } from '../contact-acts.ts';
import { capital, typeWords } from '../contact-words.ts';
import styles from './PermissionMatrix.module.css';

type Cell = 'granted' | 'added' | 'waits' | 'partly' | 'removed' | 'never' | 'not';

const words: Record<Cell, string> = {
  granted: 'Granted',
  added: 'Granted in addition to the type',
  waits: 'Granted, needs two-factor authentication',
  partly: 'Granted, some changes need two-factor authentication',
  removed: 'Default removed',
  never: 'Cannot be granted',
  not: 'Not granted',
};
const explained: readonly Cell[] = ['granted', 'added', 'waits', 'partly', 'removed', 'never'];

/** All contacts by permission, to compare who can do what. A name links to the form for that person's permissions. */
export function PermissionMatrix() {
  const { accountType, permissions: own, accountName } = useAccount();
  const address = useAddress();
  const { secondFactorFor } = useRead(allContactsOf(accountName));
  const people = useAllContacts().filter(contact => contact.status !== 'removed' && contact.permissions !== null);
  if (!own.includes('users-privileges-view') || people.length === 0) return null;
  return (
    <Sheet
      flush
      title="Permissions"
      actions={
        <ul className={styles.legend} aria-label="Marks">
          {explained.map(cell => (
            <li key={cell}>
              <Mark cell={cell} /> {words[cell]}
            </li>
          ))}
        </ul>
      }
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex, jsx-a11y/prefer-tag-over-role -- scrolled by keyboard where there are many people */}
      <div className={styles.scroll} tabIndex={0} role="region" aria-label="Permissions by contact">
        <table className={styles.matrix}>
          <thead>
            <tr>
              <th scope="col">Permission</th>
              {people.map(contact => (
                <th key={contact.contactId} scope="col">
                  <button
                    type="button"
                    aria-label={`Permissions of ${contact.fullName}`}
                    onClick={() => address.set({ contact: contact.contactId }, { step: true })}
                  >
                    {shortNameOf(contact, people)}
                  </button>
                  <span>{contact.contactTypes.map(type => typeWords[type]).join(', ') || 'Helper'}</span>
                </th>
              ))}
            </tr>
          </thead>
          {permissionGroups.map(group => (
            <tbody key={group}>
              <tr>
                <th scope="rowgroup" colSpan={people.length + 1} className={styles.group}>
                  {capital(group)}
                </th>
              </tr>
              {permissionKeys
                .filter(key => permissions[key].group === group)
                .map(key => (
                  <tr key={key}>
                    <th scope="row">
                      {permissions[key].label}
                      {secondFactorFor.always.includes(key) && <Icon name="shield" label="needs two-factor authentication" />}
                      {secondFactorFor.someChanges.includes(key) && (
                        <Icon name="shield" label="some changes need two-factor authentication" />
                      )}
                    </th>
                    {people.map(contact => (
                      <td key={contact.contactId}>
                        <Mark cell={cellOf(contact, key, { accountType, secondFactorFor })} />
                      </td>
                    ))}
                  </tr>
                ))}
            </tbody>
          ))}
        </table>
      </div>
    </Sheet>
  );
}

/** Returns the first name, or the full name where another contact has the same first name. */
function shortNameOf({ fullName }: Contact, people: readonly Contact[]): string {
  const [first = fullName] = fullName.split(' ');
  return people.filter(other => other.fullName.split(' ')[0] === first).length === 1 ? first : fullName;
}

/** Whether a contact has a permission, and how. */
function cellOf(
  contact: Contact,
  permission: Permission,
  { accountType, secondFactorFor }: { accountType: string; secondFactorFor: PermissionFactors },
): Cell {
  const { contactTypes, hasSecondFactor } = contact;
  const held = contact.permissions?.includes(permission) ?? false;
  const byDefault = defaultPermissions(contactTypes).includes(permission);
  if (held && hasSecondFactor === false) {
    if (secondFactorFor.always.includes(permission)) return 'waits';
    if (secondFactorFor.someChanges.includes(permission)) return 'partly';
  }
  if (held) return byDefault ? 'granted' : 'added';
  if (whyNotGrantable(permission, { contactTypes, accountType }) !== null) return 'never';
  return byDefault ? 'removed' : 'not';
}

function Mark({ cell }: { cell: Cell }) {
  return (
    <span className={styles.mark} data-cell={cell}>
      {cell === 'never' ? <Icon name="close" /> : cell === 'waits' ? null : <i aria-hidden="true" />}
      {(cell === 'waits' || cell === 'partly') && <Icon name="lock" />}
      <span className="vh">{words[cell]}</span>
    </span>
  );
}
