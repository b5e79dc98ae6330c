import { utcDay } from '@portal/contract/days';
import { recordAddress } from '@portal/contract/records/record-address';
import type { ResourceRecord } from '@portal/contract/records/records';
import { classNames, DateText, Link, Sheet } from '@portal/ui';
import rowStyles from '../RowList.module.css';
import styles from './ResourceRecord.module.css';

/** Changes of the registration and of whois, newest first, each leading to the record as it was on that day. */
export function RecordHistory({ record }: { record: ResourceRecord }) {
  return (
    <Sheet title="History" flush>
      {record.history.length === 0 ? (
        <p className={styles.part}>No changes since records began.</p>
      ) : (
        <ol className={classNames(rowStyles.list, styles.more)} aria-label="History, newest first">
          {record.history.map(({ at, what, by, link }) => (
            <li key={at + what}>
              <span className={rowStyles.words}>{link ? <Link href={link}>{what}</Link> : what}</span>
              <span className="small quiet">
                <Link href={recordAddress(record.resource, utcDay(at))}>
                  <DateText value={at} />
                </Link>
                , {by}
                {record.on !== null && utcDay(at) > record.on && ', later'}
              </span>
            </li>
          ))}
        </ol>
      )}
    </Sheet>
  );
}
