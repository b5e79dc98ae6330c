import { read, useAccount, useAnswer } from '@portal/app-kit';
import { recordAddress } from '@portal/contract/records/record-address';
import { type Delegation, type Registration, resources } from '@portal/contract/resources/resources';
import { parseRange, prefixOfRange, printEnds } from '@portal/number-resources';
import {
  Badge,
  CopyButton,
  DateText,
  formatCount,
  KeyValueList,
  Link,
  Meter,
  Mono,
  Panel,
  ResourceName,
  Sheet,
  SkeletonLines,
  SkeletonRows,
} from '@portal/ui';
import type { ReactNode } from 'react';
import { FirstRead, type Reads } from '../../shell/FirstRead.tsx';
import { amountOf, numberWord, plural, shareOf, slash24s } from '../../shell/amounts.ts';
import { BlockActions } from './BlockActions.tsx';
import { BlockFacts } from './BlockFacts.tsx';
import styles from './BlockPanel.module.css';
import { sourceWords, stateWords, statusWords } from '../delegation-words.ts';
import { type Chosen, contains } from './holding-map.ts';
import { wordsOf } from '../kind-words.ts';

type Family = 'ipv4' | 'ipv6';
type Fact = { key: string; value: ReactNode };

const listed = 4;
const rangeOf = (resource: string) => parseRange(resource);
const sizeOf = (resource: string) => {
  const { first, last } = rangeOf(resource);
  return last - first + 1n;
};

/** Descriptions of space that is neither a delegation nor a registration. */
const spaceWords: Record<Extract<Chosen, { is: 'space' }>['kind'], string> = {
  free: 'Free: no registrations',
  held: 'On hold: under transfer or return, or privately registered',
  reserved: 'Not delegated to this account',
  delegated: 'In use by the holder',
  unassigned: 'No assignments registered',
};

/** The block under inspection, beside its map. */
export function BlockPanel({
  kind,
  chosen,
  within,
  isFew,
  onSelect,
}: {
  kind: Family;
  chosen: Chosen;
  /** The drawn space around it. */
  within: string;
  /** Whether the account holds so little that the table below lists it, and its reverse zones are read at one time. */
  isFew: boolean;
  onSelect: (resource: string) => void;
}) {
  const { resource } = chosen;
  const account = useAccount().accountName;
  const range = rangeOf(resource);
  const facts = <BlockFacts within={within} resource={resource} isFew={isFew} />;
  return (
    <Panel
      title={<ResourceName kind={kind} text={resource} href={recordAddress(resource)} strong />}
      sub={prefixOfRange(range) ? <Ends range={range} /> : null}
      actions={<CopyButton text={resource} label={`Copy ${resource}`} />}
      footer={
        chosen.is === 'delegation' && chosen.delegationId ? (
          <FirstRead reads={[read(resources.getDelegation, { account, delegationId: chosen.delegationId })]} fallback={null}>
            <DelegationActions chosen={chosen} delegationId={chosen.delegationId} />
          </FirstRead>
        ) : (
          <BlockActions chosen={chosen} canAssign={chosen.is === 'space' && (chosen.kind === 'free' || chosen.kind === 'unassigned')} />
        )
      }
    >
      <div className={styles.facts}>
        <FirstRead reads={readsOf(account, kind, chosen)} fallback={<SkeletonRows rows={8} columns={2} height={30} />}>
          {chosen.is === 'delegation' &&
            (chosen.delegationId ? (
              <DelegationFacts kind={kind} delegationId={chosen.delegationId} facts={facts} isFew={isFew} onSelect={onSelect} />
            ) : (
              <DelegationByName kind={kind} resource={resource} facts={facts} isFew={isFew} onSelect={onSelect} />
            ))}
          {chosen.is === 'registration' && <RegistrationFacts kind={kind} {...chosen} facts={facts} onSelect={onSelect} />}
          {chosen.is === 'space' && (
            <>
              <KeyValueList
                items={[
                  { key: kind === 'ipv4' ? 'Addresses' : 'Size', value: amountOf(kind, sizeOf(resource)) },
                  ...(chosen.holder ? [{ key: 'Delegated under', value: <Under holder={chosen.holder} onSelect={onSelect} /> }] : []),
                  { key: 'Status', value: spaceWords[chosen.kind] },
                ]}
              />
              {facts}
            </>
          )}
        </FirstRead>
      </div>
    </Panel>
  );
}

function DelegationActions({ chosen, delegationId }: { chosen: Chosen; delegationId: string }) {
  const { delegation, lockedParts } = useAnswer(resources.getDelegation, { account: useAccount().accountName, delegationId });
  const usable = delegation.status === 'active' || isLockedInPart(delegation, lockedParts);
  return <BlockActions chosen={chosen} canAssign={delegation.type === 'allocated' && usable} />;
}

/** Whether a request moves some of a delegation, and the rest of it is used as before. */
const isLockedInPart = ({ resource }: Delegation, parts: readonly { resource: string }[]): boolean =>
  parts.length > 0 && parts.every(part => part.resource !== resource);

/** First and last address; the line breaks at the dash only. */
function Ends({ range }: { range: ReturnType<typeof rangeOf> }) {
  const [first, last] = printEnds(range).split(' - ');
  return (
    <span className={`mono ${styles.ends}`}>
      <span className="nw">{first} –</span> <span className="nw">{last}</span>
    </span>
  );
}

/** Returns the calls that read the facts of a block. */
const readsOf = (account: string, kind: Family, chosen: Chosen): Reads =>
  chosen.is === 'delegation' && chosen.delegationId
    ? [read(resources.getDelegation, { account, delegationId: chosen.delegationId })]
    : chosen.is === 'registration'
      ? [read(resources.listRegistrations, registrationInput(account, kind, chosen))]
      : [];

const registrationInput = (account: string, kind: Family, { resource, holder }: { resource: string; holder: string }) => ({
  account,
  query: { kind, parent: holder, q: resource, free: 'no' as const, limit: 50 },
});

/** The panel while the selection is not known yet. */
export function BlockPanelSkeleton() {
  return (
    <Sheet>
      <SkeletonLines lines={2} />
      <SkeletonRows rows={10} columns={2} height={30} />
    </Sheet>
  );
}

function Under({ holder, onSelect }: { holder: string; onSelect: (resource: string) => void }) {
  return (
    <button type="button" className={styles.word} onClick={() => onSelect(holder)}>
      <Mono nowrap={false}>{holder}</Mono>
    </button>
  );
}

const date = (value: string | null): ReactNode => (value ? <DateText value={value} shape="date" /> : 'Not known');

/** @param facts what is announced and delegated of it */
function DelegationFacts({
  kind,
  delegationId,
  facts,
  isFew,
  onSelect,
}: {
  kind: Family;
  delegationId: string;
  facts: ReactNode;
  isFew: boolean;
  onSelect: (resource: string) => void;
}) {
  const account = useAccount().accountName;
  const { delegation, history, lockedParts } = useAnswer(resources.getDelegation, { account, delegationId });
  return (
    <>
      <KeyValueList items={delegationFacts(kind, delegation, isLockedInPart(delegation, lockedParts))} />
      {facts}
      {delegation.prefixes.length > 1 && (
        <>
          <h3 className={styles.part}>As prefixes</h3>
          <p className={styles.prefixes}>
            {delegation.prefixes.map(prefix => (
              <Mono key={prefix}>{prefix}</Mono>
            ))}
          </p>
        </>
      )}
      {lockedParts.length > 0 && (
        <>
          <h3 className={styles.part}>Locked parts</h3>
          <ul className={styles.history}>
            {lockedParts.map(({ resource, reference }) => (
              <li key={resource}>
                <Mono>{resource}</Mono>
                <span className="quiet"> by {reference}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {delegation.registrations > 0 && !isFew && <Below kind={kind} parent={delegation.resource} onSelect={onSelect} />}
      <h3 className={styles.part}>In the ledger</h3>
      {history.length === 0 ? (
        <p className="small muted">Unchanged since import.</p>
      ) : (
        <ol className={styles.history}>
          {history.map(entry => (
            <li key={entry.at + entry.summary}>
              {entry.summary}
              <span className="quiet">
                {' '}
                by {entry.by}, <DateText value={entry.at} shape="date" />
              </span>
            </li>
          ))}
        </ol>
      )}
    </>
  );
}

/** A delegation whose id isn't in the map, because the account has more holdings than a map lists. */
function DelegationByName({
  kind,
  resource,
  facts,
  isFew,
  onSelect,
}: {
  kind: Family;
  resource: string;
  facts: ReactNode;
  isFew: boolean;
  onSelect: (resource: string) => void;
}) {
  const account = useAccount().accountName;
  const { rows } = useAnswer(resources.listDelegations, { account, query: { kind, q: resource, limit: 50 } });
  // A block of the map may be what is left of a registration that contains others.
  const row = rows.find(each => each.resource === resource) ?? rows.findLast(each => contains(each.resource, resource));
  if (!row) return <p className="muted">{resource} isn’t a delegation of this account.</p>;
  return <DelegationFacts kind={kind} delegationId={row.delegationId} facts={facts} isFew={isFew} onSelect={onSelect} />;
}

function delegationFacts(kind: Family, delegation: Delegation, isPartOnly: boolean): Fact[] {
  const { size, used, economy, holdUntil, status, source, registrations } = delegation;
  const addresses = BigInt(size);
  return [
    { key: kind === 'ipv4' ? 'Addresses' : 'Size', value: amountOf(kind, addresses) },
    ...(kind === 'ipv4' ? [{ key: '/24 equivalents', value: slash24s(addresses) }] : []),
    { key: 'Status', value: statusWords(delegation) },
    ...(stateWords[status]
      ? [{ key: 'State', value: <Badge kind="warning">{isPartOnly ? 'Locked in part' : stateWords[status]}</Badge> }]
      : []),
    { key: 'Delegated on', value: date(delegation.delegatedOn) },
    { key: 'Source', value: sourceWords[source] },
    ...(economy ? [{ key: 'Economy', value: economy }] : []),
    ...(holdUntil && Date.parse(holdUntil) > Date.now() ? [{ key: 'Transferable from', value: date(holdUntil) }] : []),
    ...(delegation.type === 'allocated'
      ? registrations === 0
        ? [{ key: 'Used', value: 'No assignments registered' }]
        : [
            { key: 'Used', value: <Meter share={shareOf(BigInt(used), addresses)} kind={kind} /> },
            { key: 'Registrations', value: formatCount(registrations) },
          ]
      : [{ key: 'Used', value: 'By the holder' }]),
  ];
}

type BelowProps = { kind: Family; parent: string; onSelect: (resource: string) => void };
const belowInput = (account: string, { kind, parent }: BelowProps) => ({
  account,
  query: { kind, parent, free: 'no' as const, limit: listed },
});

/** Links to the first registrations inside a block. */
function Below(props: BelowProps) {
  const account = useAccount().accountName;
  return (
    <FirstRead
      reads={[read(resources.listRegistrations, belowInput(account, props))]}
      fallback={<SkeletonRows rows={3} columns={2} height={26} />}
    >
      <FirstBelow {...props} />
    </FirstRead>
  );
}

function FirstBelow({ kind, parent, onSelect }: BelowProps) {
  const account = useAccount().accountName;
  const { rows, total } = useAnswer(resources.listRegistrations, belowInput(account, { kind, parent, onSelect }));
  if (rows.length === 0) return null;
  return (
    <>
      <h3 className={styles.part}>
        {numberWord(total).replace(/^./, letter => letter.toUpperCase())} {plural(total, 'registration', 'registrations')} below
      </h3>
      <ul className={styles.below}>
        {rows.map(row => (
          <li key={row.resource}>
            <button type="button" className={styles.word} onClick={() => onSelect(row.resource)}>
              <Mono nowrap={false}>{row.resource}</Mono>
            </button>
            <span className="quiet small">{row.netname}</span>
          </li>
        ))}
      </ul>
      <p className={styles.all}>
        <Link href={`${wordsOf[kind].registrationsPage}?parent=${encodeURIComponent(parent)}`}>All, with free space</Link>
      </p>
    </>
  );
}

function RegistrationFacts({
  kind,
  resource,
  holder,
  facts,
  onSelect,
}: {
  kind: Family;
  resource: string;
  holder: string;
  facts: ReactNode;
  onSelect: (resource: string) => void;
}) {
  const account = useAccount().accountName;
  // Sorted by start and level: ancestors and itself come before its children.
  const { rows } = useAnswer(resources.listRegistrations, registrationInput(account, kind, { resource, holder }));
  // A block of the map may be what is left of a registration that contains others.
  const row = rows.find(each => each.resource === resource) ?? rows.findLast(each => contains(each.resource, resource));
  return (
    <>
      <KeyValueList
        items={[
          { key: kind === 'ipv4' ? 'Addresses' : 'Size', value: amountOf(kind, sizeOf(resource)) },
          ...(row && row.resource !== resource ? [{ key: 'Part of', value: <Under holder={row.resource} onSelect={onSelect} /> }] : []),
          ...(row ? registrationFacts(row) : []),
          { key: 'Delegated under', value: <Under holder={holder} onSelect={onSelect} /> },
        ]}
      />
      {facts}
      {rows.some(each => each.resource !== resource && contains(resource, each.resource)) && (
        <Below kind={kind} parent={resource} onSelect={onSelect} />
      )}
    </>
  );
}

function registrationFacts(row: Registration): Fact[] {
  const { netname, statusText, customer, visibility, economy, registeredOn, updatedAt } = row;
  return [
    ...(netname ? [{ key: 'Netname', value: <Mono>{netname}</Mono> }] : []),
    ...(statusText ? [{ key: 'Status', value: statusWords({ statusText, type: 'assigned' }) }] : []),
    ...(customer ? [{ key: 'Customer', value: customer }] : []),
    ...(visibility ? [{ key: 'Visibility', value: visibility === 'private' ? 'Private: not in whois' : 'Public, in whois' }] : []),
    ...(economy ? [{ key: 'Economy', value: economy }] : []),
    ...(registeredOn ? [{ key: 'Registered on', value: <DateText value={registeredOn} shape="date" /> }] : []),
    ...(updatedAt ? [{ key: 'Last changed', value: <DateText value={updatedAt} shape="date" /> }] : []),
  ];
}
