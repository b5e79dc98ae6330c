import type { ResourceRecord } from '@portal/contract/records/records';
import { Link, Sheet, StateMark } from '@portal/ui';
import rowStyles from '../RowList.module.css';
import styles from './ResourceRecord.module.css';

/** The contacts that the objects of the numbers name, and the state of abuse mailboxes. */
export function RecordContacts({ record }: { record: ResourceRecord }) {
  const { contacts, irtMailboxes } = record;
  if (contacts.length === 0) return null;
  return (
    <Sheet title="Contacts" flush>
      <ul className={rowStyles.list} aria-label="Contacts">
        {contacts.map(each => (
          <li key={each.attribute + each.handle}>
            <span className="mono quiet">{each.attribute}</span>
            {each.link ? (
              <Link href={each.link} className="mono">
                {each.handle}
              </Link>
            ) : (
              <span className="mono">{each.handle}</span>
            )}
            <span className={styles.end}>{each.link ? each.name : 'missing'}</span>
          </li>
        ))}
        {irtMailboxes.map(each => (
          <li key={each.irt + each.mailbox + each.state}>
            <span className="quiet">mailbox</span>
            <span className="mono">{each.mailbox}</span>
            <span className={styles.end}>
              <StateMark state={each.state === 'valid' ? 'valid' : each.state === 'pending' ? 'pending' : 'warning'}>
                {each.state}
              </StateMark>
            </span>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}
