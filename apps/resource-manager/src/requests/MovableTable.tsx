import type { MovableResource } from '@portal/contract/requests/requests';
import { DateText, formatCount, formatShare, StateMark } from '@portal/ui';
import { ResourceName } from '@portal/ui/text/ResourceName';
import type { ReactNode } from 'react';
import { shareOf } from '../shell/amounts.ts';
import styles from './MovableTable.module.css';
import { MAX } from './movable.ts';

type Kind = 'transfer' | 'acquisition' | 'return';

const canWords: Record<Kind, string> = { transfer: 'Can be transferred', acquisition: 'Can go along', return: 'Can be returned' };

const restWords: Record<Kind, string> = {
  transfer: 'The rest can be transferred.',
  acquisition: 'The rest can go along.',
  return: 'The rest can be returned.',
};

/**
 * The resources of an account before a hand-over: what can leave it, and since when it's held; and what can't, with the reason and until when. @param smallest prefix length of the smallest block that
 * moves
 */
export function MovableTable({ kind, rows, smallest }: { kind: Kind; rows: readonly MovableResource[]; smallest: number }) {
  const shown = rows.slice(0, MAX);
  const free = shown.filter(({ against }) => against[kind] === null);
  const bound = shown.filter(({ against }) => against[kind] !== null);
  if (rows.length === 0) return null;
  return (
    <>
      <table className={styles.movable} aria-label="Your resources">
        <thead>
          <tr>
            <th scope="col">Resource</th>
            <th scope="col">Held since</th>
            <th scope="col">Assigned</th>
            <th scope="col">Check</th>
          </tr>
        </thead>
        <Group title={canWords[kind]} rows={free}>
          {row => <Free kind={kind} row={row} smallest={smallest} />}
        </Group>
        <Group title="Not now" rows={bound}>
          {({ against }) => (
            <StateMark state="closed" plain>
              {against[kind]}
            </StateMark>
          )}
        </Group>
      </table>
      {rows.length > MAX && (
        <p className={`small quiet ${styles.more}`}>
          The first {MAX} of {formatCount(rows.length)}.
        </p>
      )}
    </>
  );
}

function Group({
  title,
  rows,
  children,
}: {
  title: string;
  rows: readonly MovableResource[];
  children: (row: MovableResource) => ReactNode;
}) {
  if (rows.length === 0) return null;
  return (
    <tbody>
      <tr className={styles.group}>
        <th colSpan={4} scope="rowgroup">
          {title} <span className="quiet">{formatCount(rows.length)}</span>
        </th>
      </tr>
      {rows.map(row => (
        <tr key={row.resource}>
          <th scope="row">
            <ResourceName kind={row.kind} text={row.resource} />
          </th>
          <td data-label="Held since">{row.delegatedOn ? <DateText value={row.delegatedOn} shape="date" /> : 'Not recorded'}</td>
          <td data-label="Assigned">{assignedIn(row)}</td>
          <td>{children(row)}</td>
        </tr>
      ))}
    </tbody>
  );
}

/** The checks of a resource that can leave the account; or which part of it other requests move already. */
function Free({ kind, row, smallest }: { kind: Kind; row: MovableResource; smallest: number }) {
  if (row.locked.length > 0)
    return (
      <>
        <StateMark state="warning" plain>
          In part
        </StateMark>
        <span className={styles.why}>
          {row.locked.map(({ resource, reference }) => `${resource} is locked by ${reference}`).join(', ')}. {restWords[kind]}
        </span>
      </>
    );
  return (
    <>
      <StateMark state="valid" plain>
        Ready
      </StateMark>
      <span className={styles.why}>
        Not locked
        {kind !== 'return' &&
          (row.holdUntil ? (
            <>
              , hold period ended <DateText value={row.holdUntil} shape="date" />
            </>
          ) : (
            ', no hold period'
          ))}
        {row.kind === 'ipv4' && BigInt(row.size) > 1n << BigInt(32 - smallest) && `, parts down to a /${smallest}`}
      </span>
    </>
  );
}

/** The share of addresses with an assignment; none of AS numbers. */
function assignedIn({ kind, size, used }: MovableResource): string {
  if (kind === 'asn') return '–';
  if (used === '0') return 'None';
  return formatShare(shareOf(BigInt(used), BigInt(size)));
}
