import { useAccount, useAnswer } from '@portal/app-kit';
import { recordAddress } from '@portal/contract/records/record-address';
import { resources } from '@portal/contract/resources/resources';
import { Badge, classNames, Link } from '@portal/ui';
import { amountWords } from '../../shell/amounts.ts';
import rowStyles from '../RowList.module.css';
import styles from './ResourceRecord.module.css';
import { resourceName } from './RecordLines.tsx';

const rowsShown = 100;

/** The first rows of the account’s registrations and free space in a prefix, with a link to all. */
export function AssignmentsInside({ kind, resource, hasAllocation }: { kind: 'ipv4' | 'ipv6'; resource: string; hasAllocation: boolean }) {
  const account = useAccount().accountName;
  const { rows, total } = useAnswer(resources.listRegistrations, {
    account,
    query: { kind, limit: rowsShown, ...(hasAllocation ? { parent: resource } : { q: resource }) },
  });
  return (
    <ul className={classNames(rowStyles.list, styles.more)} aria-label="Assignments and free space">
      {rows.map(row => (
        <li key={`${row.row} ${row.resource}`} style={{ paddingLeft: 16 + row.level * 16 }}>
          {resourceName(kind, row.resource, recordAddress(row.resource))}
          {row.row === 'free' ? (
            <span className={classNames('quiet', styles.end)}>Free, {amountWords(kind, BigInt(row.size))}</span>
          ) : (
            <>
              <span className="mono">{row.netname}</span>
              <span className="quiet">{row.customer}</span>
              <span className={styles.end}>
                {row.visibility === 'private' ? <Badge icon="lock">Private</Badge> : <Badge kind="line">Public</Badge>}
              </span>
            </>
          )}
        </li>
      ))}
      {total > rows.length && (
        <li>
          <Link href={`/resources/${kind === 'ipv4' ? 'IPv4' : 'IPv6'}ShowList?${new URLSearchParams({ parent: resource })}`}>
            See all {total} rows
          </Link>
        </li>
      )}
    </ul>
  );
}
