import { recordAddress } from '@portal/contract/records/record-address';
import type { ResourceRecord } from '@portal/contract/records/records';
import { Badge, classNames, Sheet, SkeletonLines } from '@portal/ui';
import { Suspense } from 'react';
import rowStyles from '../RowList.module.css';
import styles from './ResourceRecord.module.css';
import { AssignmentsInside } from './AssignmentsInside.tsx';
import { HoldingLine, NetworkLine, resourceName } from './RecordLines.tsx';
import { networksOf } from './record-networks.ts';

/** Everything inside the numbers, without duplicates: assignments and free space of the account's own, else delegations and whois networks. */
export function Inside({ record }: { record: ResourceRecord }) {
  const { kind, on, holdings, moreHoldings, pools, assignments, mayAssign } = record;
  const given = assignments.filter(each => each.relation === 'inside');
  if (kind !== 'asn' && (mayAssign || given.length > 0)) return <OwnAssignments record={record} />;
  const parts = holdings.filter(each => each.relation === 'inside');
  const inside = networksOf(record, 'inside');
  const poolParts = pools.filter(each => each.relation === 'inside');
  if (parts.length + inside.length + poolParts.length === 0) return null;
  return (
    <Sheet title="Inside" flush>
      <ul className={classNames(rowStyles.list, styles.more)} aria-label="Contains">
        {parts.map(holding => (
          <HoldingLine key={holding.resource} kind={kind} holding={holding} on={on} />
        ))}
        {inside.map(each => (
          <NetworkLine key={each.key} kind={kind} network={each} on={on} />
        ))}
        {poolParts.map(pool => (
          <li key={pool.resource}>
            {resourceName(kind, pool.resource, recordAddress(pool.resource))}
            <span className={classNames('quiet', styles.end)}>{pool.state === 'available' ? 'available' : 'reserved'}</span>
          </li>
        ))}
        {(moreHoldings || record.moreObjects) && <li className="quiet">and more. Search for a part of it.</li>}
      </ul>
    </Sheet>
  );
}

/** The account's registrations in it, with free space. */
function OwnAssignments({ record }: { record: ResourceRecord }) {
  const { kind, on, assignments } = record;
  const shown = assignments.filter(each => each.relation === 'inside');
  return (
    <Sheet title="Inside" meta={on === null ? 'assignments, with free space' : undefined} flush>
      {on === null && kind !== 'asn' ? (
        <Suspense fallback={<SkeletonLines lines={4} label="Loading assignments" />}>
          <AssignmentsInside
            kind={kind}
            resource={record.resource}
            hasAllocation={record.holdings.some(each => each.own && each.statusText?.startsWith('ALLOCATED') && each.relation !== 'inside')}
          />
        </Suspense>
      ) : shown.length === 0 ? (
        <p className={styles.part}>No registrations.</p>
      ) : (
        <ul className={classNames(rowStyles.list, styles.more)}>
          {shown.map(each => (
            <li key={each.resource}>
              {resourceName(kind, each.resource, recordAddress(each.resource, on))}
              <span className="mono">{each.netname}</span>
              <span className={styles.end}>{each.visibility === 'private' ? <Badge icon="lock">Private</Badge> : null}</span>
            </li>
          ))}
        </ul>
      )}
    </Sheet>
  );
}
