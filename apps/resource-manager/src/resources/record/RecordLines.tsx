import { recordAddress } from '@portal/contract/records/record-address';
import type { RecordHolding, RecordObject, ResourceRecord } from '@portal/contract/records/records';
import { Badge, Link, ResourceName } from '@portal/ui';
import styles from './ResourceRecord.module.css';
import { networkText } from './record-networks.ts';

/** A resource’s name as a link to its own page. */
export const resourceName = (kind: ResourceRecord['kind'], resource: string, href?: string) => (
  <ResourceName kind={kind} text={resource} href={href} />
);

/** A line about a delegation: its numbers, status and holder. */
export function HoldingLine({ kind, holding, on }: { kind: ResourceRecord['kind']; holding: RecordHolding; on: string | null }) {
  return (
    <li>
      {resourceName(kind, holding.resource, recordAddress(holding.resource, on))}
      <span className="quiet">{holding.statusText ?? 'delegated'}</span>
      <span className={styles.end}>{holding.own ? <Badge kind="line">yours</Badge> : holding.holder}</span>
    </li>
  );
}

/** A line about a network of whois: its numbers, name and object. */
export function NetworkLine({ kind, network, on }: { kind: ResourceRecord['kind']; network: RecordObject; on: string | null }) {
  const text = networkText(network);
  return (
    <li>
      {resourceName(kind, text, recordAddress(text, on))}
      <span className="mono quiet">{network.name}</span>
      <span className={styles.end}>
        <Link href={on === null ? network.link : `${network.link}&view=history&version=${network.version}`}>whois</Link>
      </span>
    </li>
  );
}
