import { useAccount, useAnswer } from '@portal/app-kit';
import { whois, type WhoisClass } from '@portal/contract/whois/whois';
import { spacedKey } from '@portal/contract/whois/spaced-key';
import { Link } from '@portal/ui';
import { hrefOfObject } from '../text/object-address.ts';
import styles from './ReferenceList.module.css';

const shownReferences = 20;

/** The objects that refer to one, by which attributes. */
export function ReferenceList({ objectClass, objectKey }: { objectClass: WhoisClass; objectKey: string }) {
  const { accountName: account } = useAccount();
  const { rows, total } = useAnswer(whois.listReferences, {
    account,
    query: { class: objectClass, key: objectKey, limit: shownReferences },
  });
  return (
    <ul className={styles.list} aria-label="Objects referring to it">
      {rows.map(({ class: name, key, shown, attributes }) => (
        <li key={`${name} ${key}`}>
          <Link href={hrefOfObject(name, key)}>
            <span className="mono">
              {name} {spacedKey(shown)}
            </span>
          </Link>{' '}
          <span className="quiet">{attributes.join(', ')}</span>
        </li>
      ))}
      {total > rows.length && <li className="quiet">and {total - rows.length} more</li>}
    </ul>
  );
}
