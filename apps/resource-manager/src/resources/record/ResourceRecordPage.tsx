import { Page, useAccount, useAddress, useAnswer, useSteadyAnswer } from '@portal/app-kit';
import { utcDay } from '@portal/contract/days';
import { pages } from '@portal/contract/pages';
import { recordAddress } from '@portal/contract/records/record-address';
import {
  type RecordHolding,
  type RecordMark,
  type RecordObject,
  type RecordSection,
  type ResourceRecord,
  whoisRecords,
} from '@portal/contract/records/records';
import { resources } from '@portal/contract/resources/resources';
import { spacedKey } from '@portal/contract/whois/spaced-key';
import {
  Badge,
  Breadcrumb,
  Button,
  classNames,
  CopyButton,
  DateText,
  EmptyState,
  KeyValueList,
  Link,
  LinkButton,
  Mono,
  ResourceName,
  SearchInput,
  Sheet,
  SkeletonLines,
  Stack,
  StateMark,
  TextInput,
} from '@portal/ui';
import { type ReactNode, Suspense, useState } from 'react';
import { FollowButton } from '../../shell/FollowButton.tsx';
import { FirstRead, read, spare } from '../../shell/FirstRead.tsx';
import { QuietBoundary } from './QuietBoundary.tsx';
import { WhereItLies } from './WhereItLies.tsx';
import { amountWords } from '../amounts.ts';
import { sourceWords, stateWords } from '../delegation-words.ts';
import { OwnResources } from './OwnResources.tsx';
import { OutsideBoundary } from '../OutsideBoundary.tsx';
import rowStyles from '../RowList.module.css';
import styles from './ResourceRecord.module.css';

const today = (): string => utcDay(new Date());
const dayOf = (text: string | null): string | null => (text !== null && /^\d{4}-\d\d-\d\d$/.test(text) ? text : null);

/** One prefix, range or AS number: its holder, surrounding and inner space, whois objects, problems and history. */
export function ResourceRecordPage({ resource, title }: { resource: string; title: 'Prefix' | 'AS number' }) {
  const account = useAccount().accountName;
  const on = dayOf(useAddress().get('on'));
  const input = { account, query: { resource, ...(on && { on }) } };
  const way = (
    <Breadcrumb
      items={[{ label: 'Resources', href: '/resources/summary' }, { label: resource === '' ? title : <Mono>{resource}</Mono> }]}
    />
  );
  if (resource.trim() === '')
    return (
      <Page title={title} breadcrumb={way} sub="Holder, hierarchy, whois objects and history.">
        <Stack gap={16}>
          <Sheet aria-label="Find">
            <Find />
          </Sheet>
          <OwnResources of={title === 'Prefix' ? 'prefixes' : 'AS numbers'} />
        </Stack>
      </Page>
    );
  return (
    <Page
      title={resource}
      heading={<span className="mono">{resource}</span>}
      breadcrumb={way}
      sub={
        <FirstRead reads={[spare(whoisRecords.getRecord, input)]} fallback={'\u00a0'}>
          <QuietBoundary>
            <WhatItIs input={input} />
          </QuietBoundary>
        </FirstRead>
      }
      actions={
        <>
          <AsOf on={on} />
          <FirstRead reads={[spare(whoisRecords.getRecord, input)]} fallback={null}>
            <QuietBoundary>
              <Acts input={input} />
            </QuietBoundary>
          </FirstRead>
          <FollowButton what={{ resource }} name={resource} />
          <CopyButton text={resource} label={`Copy ${resource}`} />
        </>
      }
    >
      <OutsideBoundary
        at={resource}
        title="Not a number resource"
        words={<>“{resource}” isn’t a prefix, address, range or AS number, such as 198.18.0.0/19 or AS64500.</>}
        action={<LinkButton href="/resources/summary">See your resources</LinkButton>}
      >
        <FirstRead reads={[read(whoisRecords.getRecord, { account, query: { resource, ...(on && { on }) } })]} fallback={<Waiting />}>
          <Found resource={resource} on={on} />
        </FirstRead>
      </OutsideBoundary>
    </Page>
  );
}

function Find() {
  const address = useAddress();
  const [text, setText] = useState('');
  return (
    <form
      className={styles.find}
      onSubmit={event => {
        event.preventDefault();
        if (text.trim() !== '') address.go(recordAddress(text.trim()));
      }}
    >
      <SearchInput label="Prefix, address, range or AS number" placeholder="198.18.0.0/19 or AS64500" value={text} onChange={setText} />
      <Button type="submit" size="s">
        Show
      </Button>
    </form>
  );
}

/** The day of the view; part of the address. */
function AsOf({ on }: { on: string | null }) {
  const address = useAddress();
  // A day counts once it is whole: while the year is typed it is one after the other.
  const commit = (text: string) => {
    const next = text === '' || text >= today() ? null : text;
    if (next !== on && (next === null || /^[12]\d{3}-/.test(next))) address.set({ on: next }, { step: true });
  };
  return (
    <label className={styles.asOf}>
      <span>As of</span>
      <TextInput
        key={on}
        type="date"
        max={today()}
        defaultValue={on ?? ''}
        onBlur={({ target }) => commit(target.value)}
        onKeyDown={event => event.key === 'Enter' && commit(event.currentTarget.value)}
      />
      {on !== null && (
        <Button size="s" onClick={() => address.set({ on: null })}>
          Show today
        </Button>
      )}
    </label>
  );
}

function Waiting() {
  return (
    <div className={styles.columns}>
      <Stack gap={16}>
        <Sheet title="Registration">
          <SkeletonLines lines={6} label="Loading the registration" />
        </Sheet>
        <Sheet title="Whois objects">
          <SkeletonLines lines={6} />
        </Sheet>
      </Stack>
      <Sheet title="State">
        <SkeletonLines lines={4} />
      </Sheet>
    </div>
  );
}

type RecordInput = { account: string; query: { resource: string; on?: string } };

/** "CUST-NORTHWIND, 512 addresses, 198.18.12.0 – 198.18.13.255" */
function WhatItIs({ input }: { input: RecordInput }) {
  const { kind, first, last, size, assignments, objects } = useAnswer(whoisRecords.getRecord, input);
  const netname =
    assignments.find(each => each.relation === 'exact')?.netname ??
    objects.find(each => each.relation === 'exact' && isNetwork(each))?.name;
  return (
    <>
      {netname && (
        <>
          <Mono>{netname}</Mono>,{' '}
        </>
      )}
      {amountWords(kind, BigInt(size))}
      {first !== last && (
        <>
          , <Mono nowrap={false}>{`${first} – ${last}`}</Mono>
        </>
      )}
    </>
  );
}

/** Actions on the numbers: edit their own whois object, assign in them, see them on the map. */
function Acts({ input }: { input: RecordInput }) {
  const { kind, resource, on, objects, mayAssign, holdings } = useAnswer(whoisRecords.getRecord, input);
  if (on !== null) return null;
  const own = objects.find(each => each.relation === 'exact' && (isNetwork(each) || each.class === 'aut-num'));
  const isMine = holdings.some(each => each.own && each.relation !== 'inside');
  return (
    <>
      {isMine && own && <LinkButton href={own.link}>Edit whois</LinkButton>}
      {isMine && kind !== 'asn' && (
        <LinkButton href={`${pages[kind].path}?${new URLSearchParams({ selected: resource })}`}>Address map</LinkButton>
      )}
      {mayAssign && (
        <LinkButton
          variant="primary"
          icon="plus"
          href={`/resources/customers/customer_management?${new URLSearchParams({ add: 'yes', within: resource })}`}
        >
          Assign
        </LinkButton>
      )}
    </>
  );
}

const isNetwork = (each: RecordObject): boolean => each.class === 'inetnum' || each.class === 'inet6num' || each.class === 'as-block';

function Found({ resource, on }: { resource: string; on: string | null }) {
  const account = useAccount().accountName;
  const { answer: record } = useSteadyAnswer(whoisRecords.getRecord, { account, query: { resource, ...(on && { on }) } });
  return (
    <div className={styles.columns}>
      <Stack gap={16}>
        <Registration record={record} />
        <Inside record={record} />
        <Objects record={record} />
        {record.sections.map(section => (
          <Contributed key={section.id} section={section} />
        ))}
      </Stack>
      <Stack gap={16}>
        {record.kind !== 'asn' && <WhereItLies record={record} kind={record.kind} />}
        {record.on === null && <Marks marks={record.marks} />}
        <Contacts record={record} />
        <History record={record} />
      </Stack>
    </div>
  );
}

const day = (value: string | null): ReactNode => (value === null ? 'not known' : <DateText value={value} shape="date" />);

function Registration({ record }: { record: ResourceRecord }) {
  const { holdings, pools, on } = record;
  const holding = holdings.find(each => each.relation !== 'inside');
  const facts: { key: string; value: ReactNode }[] = [];
  const assigned = record.assignments.find(each => each.relation === 'exact');
  if (assigned)
    facts.push(
      { key: 'Registered as', value: <Mono>{assigned.netname}</Mono> },
      { key: 'Customer', value: assigned.customer ?? 'none' },
      { key: 'Visibility', value: assigned.visibility === 'private' ? 'Private: not in whois' : 'Public, in whois' },
    );
  if (assigned) facts.push({ key: 'Status', value: assigned.statusText });
  if (holding) {
    facts.push({ key: 'Holder', value: holding.holder === '' ? 'Held by another account at the time' : holding.holder });
    // A part of a delegation has no status of its own out of it: that is the delegation's, below.
    if (holding.relation !== 'around' && holding.statusText) facts.push({ key: 'Status', value: holding.statusText });
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
      <KeyValueList items={facts} />
      <LiesIn record={record} />
    </Sheet>
  );
}

const name = (kind: ResourceRecord['kind'], resource: string, href?: string) => <ResourceName kind={kind} text={resource} href={href} />;

function Holding({ kind, holding, on }: { kind: ResourceRecord['kind']; holding: RecordHolding; on: string | null }) {
  return (
    <li>
      {name(kind, holding.resource, recordAddress(holding.resource, on))}
      <span className="quiet">{holding.statusText ?? 'delegated'}</span>
      <span className={styles.end}>{holding.own ? <Badge kind="line">yours</Badge> : holding.holder}</span>
    </li>
  );
}

/** Networks of whois that are not delegations themselves: those around the numbers, or inside. */
const networksOf = ({ objects, holdings }: ResourceRecord, relation: RecordObject['relation']): RecordObject[] =>
  objects.filter(
    each => each.relation === relation && isNetwork(each) && !holdings.some(holding => networkText(each) === holding.resource),
  );

/** Surroundings of the numbers: the delegation, and the networks between. */
function LiesIn({ record }: { record: ResourceRecord }) {
  const { kind, on, holdings } = record;
  const around = holdings.filter(each => each.relation === 'around');
  const chain = networksOf(record, 'around');
  if (around.length + chain.length === 0) return null;
  return (
    <>
      <h3 className={styles.within}>Part of</h3>
      <ul className={classNames(rowStyles.list, styles.flat)} aria-label="Part of">
        {around.map(holding => (
          <Holding key={holding.resource} kind={kind} holding={holding} on={on} />
        ))}
        {chain.map(each => (
          <NetworkLine key={each.key} kind={kind} network={each} on={on} />
        ))}
      </ul>
    </>
  );
}

/** Contents of the numbers, each once: for one's own the assignments with free space, else delegations and networks of whois. */
function Inside({ record }: { record: ResourceRecord }) {
  const { kind, on, holdings, moreHoldings, pools, assignments, mayAssign } = record;
  const given = assignments.filter(each => each.relation === 'inside');
  if (kind !== 'asn' && (mayAssign || given.length > 0)) return <Below record={record} />;
  const parts = holdings.filter(each => each.relation === 'inside');
  const inside = networksOf(record, 'inside');
  const poolParts = pools.filter(each => each.relation === 'inside');
  if (parts.length + inside.length + poolParts.length === 0) return null;
  return (
    <Sheet title="Inside" flush>
      <ul className={classNames(rowStyles.list, styles.more)} aria-label="Contains">
        {parts.map(holding => (
          <Holding key={holding.resource} kind={kind} holding={holding} on={on} />
        ))}
        {inside.map(each => (
          <NetworkLine key={each.key} kind={kind} network={each} on={on} />
        ))}
        {poolParts.map(pool => (
          <li key={pool.resource}>
            {name(kind, pool.resource, recordAddress(pool.resource))}
            <span className={classNames('quiet', styles.end)}>{pool.state === 'available' ? 'available' : 'reserved'}</span>
          </li>
        ))}
        {(moreHoldings || record.moreObjects) && <li className="quiet">and more. Search for a part of it.</li>}
      </ul>
    </Sheet>
  );
}

/** The range of a network as the ledger writes it: its link says it. */
const networkText = (object: RecordObject): string => object.resource ?? object.shown;

function NetworkLine({ kind, network, on }: { kind: ResourceRecord['kind']; network: RecordObject; on: string | null }) {
  const text = networkText(network);
  return (
    <li>
      {name(kind, text, recordAddress(text, on))}
      <span className="mono quiet">{network.name}</span>
      <span className={styles.end}>
        <Link href={on === null ? network.link : `${network.link}&view=history&version=${network.version}`}>whois</Link>
      </span>
    </li>
  );
}

/** The account's registrations in it, with free space. */
function Below({ record }: { record: ResourceRecord }) {
  const { kind, on, assignments } = record;
  const shown = assignments.filter(each => each.relation === 'inside');
  return (
    <Sheet title="Inside" meta={on === null ? 'assignments, with free space' : undefined} flush>
      {on === null && kind !== 'asn' ? (
        <Suspense fallback={<SkeletonLines lines={4} label="Loading assignments" />}>
          <Registered
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
              {name(kind, each.resource, recordAddress(each.resource, on))}
              <span className="mono">{each.netname}</span>
              <span className={styles.end}>{each.visibility === 'private' ? <Badge icon="lock">Private</Badge> : null}</span>
            </li>
          ))}
        </ul>
      )}
    </Sheet>
  );
}

const rowsShown = 100;

function Registered({ kind, resource, hasAllocation }: { kind: 'ipv4' | 'ipv6'; resource: string; hasAllocation: boolean }) {
  const account = useAccount().accountName;
  const { rows, total } = useAnswer(resources.listRegistrations, {
    account,
    query: { kind, limit: rowsShown, ...(hasAllocation ? { parent: resource } : { q: resource }) },
  });
  return (
    <ul className={classNames(rowStyles.list, styles.more)} aria-label="Assignments and free space">
      {rows.map(row => (
        <li key={`${row.row} ${row.resource}`} style={{ paddingLeft: 16 + row.level * 16 }}>
          {name(kind, row.resource, recordAddress(row.resource))}
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

const groups = [
  { relation: 'exact', title: 'Exactly these numbers' },
  { relation: 'around', title: 'Less specific' },
  { relation: 'inside', title: 'More specific' },
] as const;

function Objects({ record }: { record: ResourceRecord }) {
  const { moreObjects, on, kind } = record;
  // Networks around and inside stand where the numbers lie, and what lies in them.
  // Reverse zones have a section of their own, with the answers of their servers.
  const zones = record.sections.some(section => section.id === 'reverse-zones');
  const objects = record.objects.filter(
    each => each.relation === 'exact' || (!isNetwork(each) && !(zones && each.class === 'domain' && each.relation === 'inside')),
  );
  return (
    <Sheet title="Whois objects" flush>
      {objects.length === 0 ? (
        <EmptyState title="No whois object">No whois object covers it{on === null ? '' : ' on that day'}.</EmptyState>
      ) : (
        groups.map(({ relation, title }) => {
          const rows = objects.filter(each => each.relation === relation);
          return rows.length === 0 ? null : (
            <div key={relation}>
              <h3 className={styles.part}>{kind === 'asn' && relation === 'inside' ? 'Routes and sets' : title}</h3>
              <ul className={classNames(rowStyles.list, styles.more)} aria-label={title}>
                {rows.map(each => (
                  <li key={each.link}>
                    <span className={styles.object}>
                      <span className="mono quiet">{each.class}</span>
                      <Link href={on === null ? each.link : `${each.link}&view=history&version=${each.version}`} className="mono">
                        {spacedKey(each.shown)}
                      </Link>
                    </span>
                    <span className="quiet">{each.name}</span>
                    <span className={classNames('mono quiet small', styles.end)}>{each.maintainers.slice(0, 2).join(', ')}</span>
                  </li>
                ))}
              </ul>
            </div>
          );
        })
      )}
      {moreObjects && <p className={styles.part}>There are more. Search for a part of it to see them.</p>}
    </Sheet>
  );
}

/** A section of another part of the registry. */
function Contributed({ section }: { section: RecordSection }) {
  const { title, rows, more, link } = section;
  return (
    <Sheet
      title={title}
      flush
      actions={
        link && (
          <LinkButton size="s" href={link.link}>
            {link.label}
          </LinkButton>
        )
      }
    >
      <ul className={classNames(rowStyles.list, styles.more)} aria-label={title}>
        {rows.map(row => (
          <li key={`${row.label} ${row.text}`}>
            <span className="quiet">{row.label}</span>
            <span className={rowStyles.words}>{row.link ? <Link href={row.link}>{row.text}</Link> : row.text}</span>
            {row.state && <StateMark state={row.state.mark}>{row.state.word}</StateMark>}
            {row.actions.map(action => (
              <Link key={action.label} href={action.link}>
                {action.label}
              </Link>
            ))}
          </li>
        ))}
        {more && <li className="quiet">and more</li>}
      </ul>
    </Sheet>
  );
}

const markWords: Record<RecordMark['mark'], string> = { valid: 'Good', info: 'Note', warning: 'Check', invalid: 'Errors' };
const weight: Record<RecordMark['mark'], number> = { invalid: 0, warning: 1, info: 2, valid: 3 };

function Marks({ marks }: { marks: readonly RecordMark[] }) {
  return (
    <Sheet title="State" flush>
      {marks.length === 0 ? (
        <p className={styles.part}>No problems found.</p>
      ) : (
        <ul className={rowStyles.list} aria-label="Checks">
          {marks
            .toSorted((a, b) => weight[a.mark] - weight[b.mark])
            .map(({ mark, code, message, fix }) => (
              <li key={code + message}>
                <span className={rowStyles.mark}>
                  <StateMark state={mark}>{markWords[mark]}</StateMark>
                </span>
                <span className={rowStyles.words}>
                  {message}. {fix && <Link href={fix.link}>{fix.label}</Link>}
                </span>
              </li>
            ))}
        </ul>
      )}
    </Sheet>
  );
}

function Contacts({ record }: { record: ResourceRecord }) {
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

function History({ record }: { record: ResourceRecord }) {
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
