import { Page, type PageReads, read, useAccount, useAddress, useSteadyAnswer, useSteadyRead, useTablePlace } from '@portal/app-kit';
import { recordAddress } from '@portal/contract/records/record-address';
import { type ReverseZone, reverseDns } from '@portal/contract/reverse-dns/reverse-dns';
import {
  DateText,
  EmptyState,
  formatCount,
  KeyValueList,
  Link,
  LinkButton,
  ResourceName,
  Row,
  SearchInput,
  Sheet,
  Stack,
  StateMark,
} from '@portal/ui';
import { type Column, DataTable } from '@portal/ui/table/DataTable';
import { AccountNote } from '../../shell/AccountNote.tsx';
import { FirstRead } from '../../shell/FirstRead.tsx';
import { PublicationReceipt } from '../../shell/PublicationReceipt.tsx';
import { TableSkeleton } from '../../shell/TableSkeleton.tsx';
import { hrefOfObject } from '../objects/object-address.ts';
import { RemoveZone, ZoneForm } from './ZoneForm.tsx';
import { dnssecWords, hrefOfAdding, hrefOfCheck, hrefOfZone, stateWords } from './zone-words.ts';

/** /resources/ReverseDNS: delegated zones with their servers and keys; `?zone=` opens one to change it. */
export default function ReverseDnsPage() {
  const zone = useAddress().get('zone');
  const { accountName: account } = useAccount();
  if (zone !== null && zone !== '')
    return (
      <Page
        title={zone}
        breadcrumb={<Link href="/resources/ReverseDNS">Reverse delegations</Link>}
        sub="Name servers and keys of this zone, as the registry publishes them."
        actions={<LinkButton href={hrefOfCheck(zone)}>Check now</LinkButton>}
      >
        <AccountNote />
        <FirstRead key={zone} reads={[read(reverseDns.listZones, inputOf(account, zone))]} fallback={<TableSkeleton />}>
          <OneZone zone={zone} />
        </FirstRead>
      </Page>
    );
  return (
    <Page
      title="Reverse delegations"
      sub="Zones of your address space that are delegated to your name servers."
      actions={
        <Row gap={8} wrap>
          <LinkButton variant="primary" icon="plus" href={hrefOfAdding('ipv4')}>
            Add IPv4 zones
          </LinkButton>
          <LinkButton href={hrefOfAdding('ipv6')}>Add IPv6 zones</LinkButton>
        </Row>
      }
    >
      <AccountNote />
      <Sheet flush aria-label="Reverse delegations">
        <FirstRead reads={[listOf(account, '', 1)]} fallback={<TableSkeleton />}>
          <Delegations />
        </FirstRead>
      </Sheet>
    </Page>
  );
}

const pageSize = 50;
const listOf = (account: string, q: string, page: number) =>
  read(reverseDns.listZones, { account, query: { q, delegated: 'true', offset: (page - 1) * pageSize, limit: pageSize } });
export const reads: PageReads = ({ account }) => [listOf(account, '', 1)];

/** The zone and those inside it: wider ones and itself come first. */
const inputOf = (account: string, zone: string) => ({ account, query: { q: zone, offset: 0, limit: 500 } });

function OneZone({ zone }: { zone: string }) {
  const { accountName: account } = useAccount();
  const { answer } = useSteadyAnswer(reverseDns.listZones, inputOf(account, zone));
  const row = answer.rows.find(each => each.zone === zone);
  if (!row || row.version === null)
    return (
      <Sheet aria-label={zone}>
        <EmptyState
          title="Not delegated"
          action={<LinkButton href={hrefOfAdding(zone.endsWith('ip6.arpa') ? 'ipv6' : 'ipv4', zone)}>Delegate it</LinkButton>}
        >
          {zone} has no name servers at the registry, or isn’t a zone of {account}.
        </EmptyState>
      </Sheet>
    );
  return (
    <Stack gap={16}>
      <Facts row={row} />
      <ZoneForm key={`${zone} ${row.version}`} zones={[zone]} from={row} />
      <Sheet title="End the delegation">
        <RemoveZone zone={zone} />
      </Sheet>
    </Stack>
  );
}

function Facts({ row }: { row: ReverseZone }) {
  return (
    <Sheet title="Today">
      <KeyValueList
        align="left"
        items={[
          { key: 'Prefix', value: <ResourceName kind={row.kind} text={row.prefix} href={recordAddress(row.prefix)} /> },
          {
            key: 'State',
            value: (
              <>
                <StateMark state={stateWords[row.state].mark}>{stateWords[row.state].word}</StateMark> {row.problem}
              </>
            ),
          },
          { key: 'DNSSEC', value: <StateMark state={dnssecWords[row.dnssec].mark}>{dnssecWords[row.dnssec].word}</StateMark> },
          ...row.lame.map(({ server, since, disabledOn }) => ({
            key: server,
            value: disabledOn ? (
              <>
                Left out of the zone since <DateText value={disabledOn} shape="date" />, because it doesn’t answer. It’s back after a check
                that finds it answering.
              </>
            ) : (
              <>
                Hasn’t answered since <DateText value={since} shape="date" />
              </>
            ),
          })),
          ...(row.signaturesEnd ? [{ key: 'Signatures end', value: <DateText value={row.signaturesEnd} /> }] : []),
          { key: 'Last check', value: row.checkedAt ? <DateText value={row.checkedAt} /> : 'Not checked yet' },
          { key: 'Whois object', value: <Link href={hrefOfObject('domain', row.zone)}>domain {row.zone}</Link> },
        ]}
      />
      {row.version !== null && <PublicationReceipt objectClass="domain" objectKey={row.zone} version={row.version} />}
    </Sheet>
  );
}

const columns: Column<ReverseZone>[] = [
  {
    id: 'zone',
    label: 'Zone',
    cell: row => (
      <Link href={hrefOfZone(row.zone)} className="mono">
        {row.zone}
      </Link>
    ),
    text: row => row.zone,
    fixed: true,
  },
  {
    id: 'servers',
    label: 'Name servers',
    cell: row => <span className="mono">{row.servers.join(', ')}</span>,
    text: row => row.servers.join(' '),
    wrap: true,
  },
  {
    id: 'ds',
    label: 'DS',
    cell: row =>
      row.ds.length === 0 ? (
        <span className="quiet">none</span>
      ) : (
        <span className="mono">{row.ds.map(each => each.split(' ')[0]).join(', ')}</span>
      ),
    text: row => row.ds.join('\n'),
  },
  {
    id: 'state',
    label: 'State',
    cell: row => <StateMark state={stateWords[row.state].mark}>{stateWords[row.state].word}</StateMark>,
    card: 'state',
  },
];

function Delegations() {
  const { accountName: account } = useAccount();
  const address = useAddress();
  const table = useTablePlace({ id: 'reverse-dns.delegations', sorts: ['zone'], filters: ['q'] });
  const { answer, stale } = useSteadyRead(listOf(account, table.filter('q'), table.state.page));
  return (
    <DataTable
      caption={`Reverse delegations of ${account}`}
      columns={columns}
      rows={answer.rows}
      rowId={row => row.zone}
      state={{ ...table.state, sort: null }}
      onStateChange={table.onStateChange}
      total={answer.total}
      pageSize={pageSize}
      loading={stale}
      onOpen={row => address.go(hrefOfZone(row.zone))}
      countLabel={
        <span className="nw">
          {formatCount(answer.total)} {answer.total === 1 ? 'delegation' : 'delegations'}
        </span>
      }
      tools={
        <SearchInput
          label="Find a delegation"
          placeholder="Zone, prefix or server"
          value={table.filter('q')}
          onChange={q => table.setFilters({ q })}
        />
      }
      empty={
        <EmptyState title="No delegations" action={<LinkButton href={hrefOfAdding('ipv4')}>Add the first</LinkButton>}>
          Zones that you delegate to your name servers appear here.
        </EmptyState>
      }
    />
  );
}
