import { Page, type PageReads, read, savesData, useAccount, useAnswer, useKit, useRead } from '@portal/app-kit';
import { type KindTotals, type ResourceKind, resourceKinds } from '@portal/contract/resources/resource-kinds';
import { resources } from '@portal/contract/resources/resources';
import { parseRange } from '@portal/number-resources';
import {
  Badge,
  DateText,
  EmptyState,
  formatCount,
  Grid,
  KeyValueList,
  KindMark,
  Link,
  LinkButton,
  Meter,
  ResourceName,
  Row,
  Sheet,
  Stack,
  Stat,
} from '@portal/ui';
import { AddressMap } from '@portal/ui/map/AddressMap';
import { AddressStrips } from '@portal/ui/map/AddressStrips';
import { AsMap } from '@portal/ui/map/AsMap';
import { type ReactNode, useMemo } from 'react';
import { FirstRead } from '../../shell/FirstRead.tsx';
import { AccountNote } from '../../shell/AccountNote.tsx';
import { amountOf, amountWords, ipv6Amount, ipv6Blocks, mapText, plural, shareOf, slash24s } from '../../shell/amounts.ts';
import { typeWords } from '../delegation-words.ts';
import { SidePanelLayout } from '../../shell/SidePanelLayout.tsx';
import { blocksOf } from '../../shell/map-blocks.ts';
import { prefixAround } from './overview-places.ts';
import { nameOfMark, stripsOf, ticksOf } from './overview-strips.ts';
import { wordsOf } from '../kind-words.ts';
import { RefreshButton } from './RefreshButton.tsx';
import styles from './SummaryPage.module.css';

const summaryOf = (account: string) => read(resources.getSummary, { account });
const firstNumbers = (account: string) => read(resources.listDelegations, { account, query: { kind: 'asn', limit: 12 } });
export const reads: PageReads = ({ account }) => [summaryOf(account), firstNumbers(account)];

/** /resources/summary: an overview of what the account holds. */
export default function SummaryPage() {
  const summary = summaryOf(useAccount().accountName);
  return (
    <Page
      title="Resources"
      sub="Resources delegated to the account, and how much is registered as used."
      actions={
        <FirstRead reads={[summary]} fallback={null}>
          <AsOf />
        </FirstRead>
      }
    >
      <AccountNote />
      <FirstRead reads={[summary]} fallback={<Waiting />}>
        <Summary />
      </FirstRead>
    </Page>
  );
}

const useSummary = () => useRead(summaryOf(useAccount().accountName));

function AsOf() {
  const { asOf } = useSummary();
  return (
    <RefreshButton
      reads={[
        resources.getSummary,
        resources.listDelegations,
        resources.listRegistrations,
        resources.getAddressMap,
        resources.getAddressOverview,
        resources.getDelegation,
      ]}
      at={asOf}
    />
  );
}

function Waiting() {
  return (
    <Grid columns={3}>
      {resourceKinds.map(kind => (
        <Sheet key={kind} title={<KindTitle kind={kind} />}>
          <div className={styles.waiting} aria-busy="true" />
        </Sheet>
      ))}
    </Grid>
  );
}

function Summary() {
  const { totals, latest, economies } = useSummary();
  const { accountName } = useAccount();
  const { supportUrl } = useKit().environment;
  if (totals.every(each => each.delegations === 0))
    return (
      <Sheet aria-label="Number resources">
        <EmptyState title="No number resources yet" action={<LinkButton href={supportUrl}>Ask the registry</LinkButton>}>
          IPv4 and IPv6 space and AS numbers delegated to {accountName} appear here, drawn to scale.
        </EmptyState>
      </Sheet>
    );
  const most = Math.max(...economies.map(each => each.delegations));
  const all = economies.reduce((sum, each) => sum + each.delegations, 0);
  return (
    <Stack gap={16}>
      <Grid columns={3} style={{ alignItems: 'stretch' }}>
        {totals.map(each => (
          <KindSheet key={each.kind} totals={each} />
        ))}
      </Grid>
      <SidePanelLayout>
        <Sheet title="Latest delegations" flush>
          <table className={styles.latest}>
            <thead>
              <tr>
                <th scope="col">Resource</th>
                <th scope="col" className="num">
                  Amount
                </th>
                <th scope="col">Type</th>
                <th scope="col">Economy</th>
                <th scope="col">Delegated on</th>
              </tr>
            </thead>
            <tbody>
              {latest.map(row => (
                <tr key={row.delegationId}>
                  <th scope="row">
                    <ResourceName kind={row.kind} text={row.resource} href={linkTo(row.kind, row.resource)} strong />
                  </th>
                  <td className="num nw">{row.kind === 'ipv6' ? amountOf(row.kind, BigInt(row.size)) : formatCount(BigInt(row.size))}</td>
                  <td>
                    <Badge kind="line">{typeWords[row.type]}</Badge>
                  </td>
                  <td className="quiet">{row.economy}</td>
                  <td className="quiet">{row.delegatedOn ? <DateText value={row.delegatedOn} shape="date" /> : 'not known'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Sheet>
        <Stack gap={16}>
          {economies.some(each => each.economy) && (
            <Sheet title="Economies">
              <ul className={styles.economies}>
                {economies.slice(0, 8).map(({ economy, delegations }) => (
                  <li key={economy ?? ''}>
                    <span>{economyName(economy)}</span>
                    <span className={styles.bar} aria-hidden="true">
                      <i style={{ width: `${(100 * delegations) / most}%` }} />
                    </span>
                    <span className="num nw">{formatCount(delegations)}</span>
                  </li>
                ))}
              </ul>
              {economies.length > 8 && (
                <p className="small quiet">
                  And {economies.length - 8} more ({formatCount(all)} delegations in total).
                </p>
              )}
            </Sheet>
          )}
          <Sheet title="More">
            <ul className={styles.links}>
              {resourceKinds.flatMap(kind => {
                const { page, name, registrationsPage } = wordsOf[kind];
                const held = totals.find(each => each.kind === kind);
                if (!held || held.delegations === 0) return [];
                return [
                  <li key={page}>
                    <Link href={page}>{kind === 'asn' ? 'AS number' : name} delegations</Link>
                  </li>,
                  registrationsPage && (
                    <li key={registrationsPage}>
                      <Link href={registrationsPage}>{name} registrations</Link>
                    </li>
                  ),
                ];
              })}
            </ul>
          </Sheet>
        </Stack>
      </SidePanelLayout>
    </Stack>
  );
}

const linkTo = (kind: ResourceKind, resource: string): string => `${wordsOf[kind].page}?selected=${encodeURIComponent(resource)}`;

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });
function economyName(economy: string | null): string {
  if (!economy) return 'Not known';
  const name = regions.of(economy);
  return name && name !== economy ? `${name} (${economy})` : economy;
}

function KindTitle({ kind }: { kind: ResourceKind }) {
  return (
    <Link href={wordsOf[kind].page} className={styles.kind}>
      <KindMark kind={kind} /> {wordsOf[kind].name}
    </Link>
  );
}

/** One kind of number resource: how much, how much of it is used, and its first holding drawn. */
function KindSheet({ totals }: { totals: KindTotals }) {
  const account = useAccount().accountName;
  const { kind, delegations, registrations, lastDelegatedOn } = totals;
  const size = BigInt(totals.size);
  const facts: ReactNode[] = [`${formatCount(delegations)} ${plural(delegations, 'delegation', 'delegations')}`];
  if (kind === 'ipv4' && size > 0n) facts.unshift(`${slash24s(size)} /24 ${plural(size / 256n, 'equivalent', 'equivalents')}`);
  if (kind === 'ipv6' && ipv6Blocks(size, 48) !== ipv6Amount(size)) facts.unshift(ipv6Blocks(size, 48));
  return (
    <Sheet
      title={<KindTitle kind={kind} />}
      actions={
        lastDelegatedOn && (
          <span className="small quiet">
            last on <DateText value={lastDelegatedOn} shape="date" />
          </span>
        )
      }
    >
      {delegations === 0 ? (
        <EmptyState title={wordsOf[kind].none.title} picture={false}>
          {wordsOf[kind].none.words}
        </EmptyState>
      ) : (
        <Stack gap={12}>
          <Figures kind={kind} size={size} />
          <p className={`small muted ${styles.facts}`}>
            {facts.map((fact, index) => (
              // The facts are in a fixed order.
              <span key={index}>{fact}</span>
            ))}
          </p>
          {kind === 'asn' ? (
            <FirstRead reads={[firstNumbers(account)]} fallback={null}>
              <FirstNumbers />
            </FirstRead>
          ) : (
            <>
              <Row gap={6}>
                <Meter kind={kind} share={shareOf(BigInt(totals.used), size)} label={`${wordsOf[kind].name}:`} />
                <span className="small quiet">
                  {registrations === 0
                    ? 'no registrations'
                    : `used by ${formatCount(registrations)} ${plural(registrations, 'registration', 'registrations')}`}
                </span>
              </Row>
              {savesData() ? null : delegations > FEW ? (
                <FirstRead
                  reads={[read(resources.getAddressOverview, { account, query: { kind } })]}
                  fallback={<div className={styles.mapWaiting} aria-busy="true" />}
                >
                  <FullestStrips kind={kind} />
                </FirstRead>
              ) : (
                <FirstRead
                  reads={[read(resources.getAddressMap, { account, query: { kind } })]}
                  fallback={<div className={styles.mapWaiting} aria-busy="true" />}
                >
                  <FirstHolding kind={kind} />
                </FirstRead>
              )}
            </>
          )}
        </Stack>
      )}
    </Sheet>
  );
}

function Figures({ kind, size }: { kind: ResourceKind; size: bigint }) {
  if (kind === 'ipv6') {
    const [value = '', ...unit] = ipv6Amount(size).split('\u00a0');
    return <Stat value={value} unit={unit.join('\u00a0')} />;
  }
  return <Stat value={formatCount(size)} unit={amountWords(kind, size).split('\u00a0').pop()?.replace(/^\d+ /, '')} />;
}

/** The first AS numbers of the account, in order: drawn, and written with their dates. */
function FirstNumbers() {
  const { router } = useKit();
  const { rows } = useRead(firstNumbers(useAccount().accountName));
  return (
    <div className={styles.numbers}>
      <AsMap
        numbers={rows.map(row => ({ id: row.resource, label: row.resource }))}
        onSelect={resource => router.go(linkTo('asn', resource))}
      />
      <KeyValueList
        items={rows.slice(0, 6).map(row => ({
          id: row.resource,
          key: <ResourceName kind="asn" text={row.resource} href={linkTo('asn', row.resource)} />,
          value: row.delegatedOn ? <DateText value={row.delegatedOn} shape="date" /> : 'not known',
        }))}
      />
    </div>
  );
}

/** Number of strips drawn for a large holding, and of delegations from which it counts as large. */
const STRIPS = 8;
const FEW = 3;

/** The parts of the address space in which a large holding has most, in order; clicking one leads to it. */
function FullestStrips({ kind }: { kind: 'ipv4' | 'ipv6' }) {
  const { router } = useKit();
  const overview = useAnswer(resources.getAddressOverview, { account: useAccount().accountName, query: { kind } });
  const strips = useMemo(() => {
    const fullest = overview.strips.toSorted((a, b) => (BigInt(a.size) > BigInt(b.size) ? -1 : 1)).slice(0, STRIPS);
    return stripsOf(kind, { ...overview, strips: overview.strips.filter(strip => fullest.includes(strip)) });
  }, [kind, overview]);
  const all = overview.strips.length;
  return (
    <>
      <AddressStrips
        kind={kind}
        strips={strips}
        label={`The fullest parts of your ${wordsOf[kind].name}`}
        ticks={ticksOf(overview)}
        amountHead={kind === 'ipv4' ? 'addresses' : 'held'}
        current={null}
        selected={null}
        onSelect={(strip, mark) =>
          router.go(
            mark?.count === 1
              ? linkTo(kind, mark.id)
              : `${wordsOf[kind].page}?within=${encodeURIComponent(mark ? prefixAround(mark.id) : strip)}`,
          )
        }
        nameOf={nameOfMark}
      />
      <p className="small quiet">
        {all > STRIPS
          ? `The ${STRIPS} fullest of ${all} /${overview.stripLength} blocks you hold space in.`
          : `One strip is a /${overview.stripLength}.`}
      </p>
    </>
  );
}

/** The account's first holding of a kind as a small map; clicking a block leads to it. */
function FirstHolding({ kind }: { kind: 'ipv4' | 'ipv6' }) {
  const { router } = useKit();
  const map = useAnswer(resources.getAddressMap, { account: useAccount().accountName, query: { kind } });
  const blocks = useMemo(() => blocksOf(map, map), [map]);
  const text = useMemo(() => mapText(kind, parseRange(map.first).first), [kind, map.first]);
  return (
    <AddressMap
      kind={kind}
      cover={{ label: map.within, sizeLog2: map.sizeLog2 }}
      blocks={blocks}
      text={text}
      maxRows={4}
      view={null}
      onSelect={resource => router.go(linkTo(kind, resource))}
    />
  );
}
