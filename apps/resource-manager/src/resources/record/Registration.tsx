import type { ResourceRecord } from '@portal/contract/records/records';
import { Badge, classNames, DateText, formatShare, KeyValueList, Link, Mono, Sheet } from '@portal/ui';
import type { ReactNode } from 'react';
import { amountOf, amountWords, shareOf } from '../../shell/amounts.ts';
import { sourceWords, stateWords } from '../delegation-words.ts';
import rowStyles from '../RowList.module.css';
import styles from './ResourceRecord.module.css';
import { capital } from './RecordSummary.tsx';
import { HoldingLine, NetworkLine } from './RecordLines.tsx';
import { isNetwork, networksOf } from './record-networks.ts';

type Fact = { key: string; value: ReactNode };

/** Holder, status and days of the numbers, and what is registered in them. */
export function registrationFacts(record: ResourceRecord): Fact[] {
  const { holdings, pools, on, kind, used, size, contacts } = record;
  const holding = holdings.find(each => each.relation !== 'inside');
  const facts: Fact[] = [];
  const assigned = record.assignments.find(each => each.relation === 'exact');
  if (assigned)
    facts.push(
      { key: 'Registered as', value: <Mono>{assigned.netname}</Mono> },
      ...(assigned.customer ? [{ key: 'Customer', value: assigned.customer }] : []),
      ...(assigned.visibility === 'private' ? [{ key: 'Visibility', value: 'Private: not in whois' }] : []),
    );
  if (assigned) facts.push({ key: 'Status', value: capital(assigned.statusText) });
  if (holding) {
    facts.push({ key: 'Holder', value: holding.holder === '' ? 'Held by another account at the time' : holding.holder });
    // A part of a delegation has no status of its own: the delegation's is shown below.
    if (holding.relation !== 'around' && holding.statusText) facts.push({ key: 'Status', value: capital(holding.statusText) });
    facts.push(
      { key: holding.relation === 'around' ? 'Delegation since' : 'Delegated on', value: day(holding.delegatedOn) },
      { key: 'Economy', value: holding.economy ?? 'not known' },
    );
    if (holding.registry) facts.push({ key: 'Registry', value: holding.registry });
    if (holding.status && stateWords[holding.status]) facts.push({ key: 'State', value: stateWords[holding.status] });
    if (holding.source && holding.relation === 'exact') facts.push({ key: 'Source', value: sourceWords[holding.source] });
    if (holding.holdUntil) facts.push({ key: 'Hold until', value: day(holding.holdUntil) });
    if (holding.endsOn) facts.push({ key: 'For an event until', value: day(holding.endsOn) });
  } else {
    const pool = pools.find(each => each.relation !== 'inside');
    const inside = holdings.length > 0;
    facts.push({
      key: 'Holder',
      value: inside
        ? 'Several parts with different holders'
        : pool
          ? pool.state === 'available'
            ? 'No holder: available in the registry’s pool'
            : 'No holder: reserved by the registry'
          : on === null
            ? 'No holder in this registry'
            : 'No holder on record',
    });
  }
  if (used !== null && kind !== 'asn')
    facts.push({
      key: 'Registered inside',
      value: `${amountWords(kind, BigInt(used))} of ${amountOf(kind, BigInt(size))}, ${formatShare(shareOf(BigInt(used), BigInt(size)))}`,
    });
  for (const { attribute, handle, link, name } of contacts.filter(each => each.attribute !== 'mnt-irt' && each.attribute !== 'abuse-c'))
    facts.push({
      key: attribute,
      value: link ? (
        <span title={name}>
          <Link href={link} className="mono">
            {handle}
          </Link>
        </span>
      ) : (
        <>
          <Mono>{handle}</Mono> missing
        </>
      ),
    });
  const maintainers = record.objects.find(each => each.relation === 'exact' && isNetwork(each))?.maintainers ?? [];
  if (maintainers.length > 0) facts.push({ key: 'Maintainer', value: <Mono nowrap={false}>{maintainers.slice(0, 2).join(', ')}</Mono> });
  return facts;
}

/** The registration on a past day, with the delegation and networks around the numbers. */
export function Registration({ record }: { record: ResourceRecord }) {
  const { holdings, on } = record;
  const holding = holdings.find(each => each.relation !== 'inside');
  return (
    <Sheet
      title="Registration"
      meta={
        <>
          {holding?.own && <Badge kind="line">yours</Badge>}
          {on !== null && (
            <span>
              as of <DateText value={on} shape="date" />
            </span>
          )}
        </>
      }
    >
      <KeyValueList items={registrationFacts(record)} />
      <PartOf record={record} />
    </Sheet>
  );
}

/** Surroundings of the numbers: the delegation, and the networks in between. */
export function PartOf({ record }: { record: ResourceRecord }) {
  const { kind, on, holdings } = record;
  const around = holdings.filter(each => each.relation === 'around');
  const chain = networksOf(record, 'around');
  if (around.length + chain.length === 0) return null;
  return (
    <>
      <h3 className={styles.within}>Part of</h3>
      <ul className={classNames(rowStyles.list, styles.flat)} aria-label="Part of">
        {around.map(holding => (
          <HoldingLine key={holding.resource} kind={kind} holding={holding} on={on} />
        ))}
        {chain.map(each => (
          <NetworkLine key={each.key} kind={kind} network={each} on={on} />
        ))}
      </ul>
    </>
  );
}

const day = (value: string | null): ReactNode => (value === null ? 'not known' : <DateText value={value} shape="date" />);
