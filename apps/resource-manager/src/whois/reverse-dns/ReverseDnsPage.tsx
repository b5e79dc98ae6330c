import { Term } from '@portal/app-kit/words/Term';
import { Page, type PageReads, read, useAccount, useAddress, useSteadyRead, useTablePlace } from '@portal/app-kit';
import { later } from '@portal/app-kit/page/later';
import { type ReverseZone, reverseDns } from '@portal/contract/reverse-dns/reverse-dns';
import { EmptyState, formatCount, Link, LinkButton, Row, SearchInput, Sheet, StateMark } from '@portal/ui';
import { type Column, DataTable } from '@portal/ui/table/DataTable';
import { Suspense } from 'react';
import { AccountNote } from '../../shell/AccountNote.tsx';
import { FirstRead } from '../../shell/FirstRead.tsx';
import { TableSkeleton } from '../../shell/TableSkeleton.tsx';
import { hrefOfAdding, hrefOfZone, stateWords } from './zone-words.ts';

/** Opened from the list, and from elsewhere. */
const ZonePage = later(() => import('./ZonePage.tsx'), 'ZonePage');

/** /resources/ReverseDNS: delegated zones with their servers and keys; `?zone=` opens one to change it. */
export default function ReverseDnsPage() {
  const zone = useAddress().get('zone');
  const { accountName: account, asStaff } = useAccount();
  if (zone !== null && zone !== '')
    return (
      <Suspense fallback={<TableSkeleton />}>
        <ZonePage zone={zone} />
      </Suspense>
    );
  return (
    <Page
      title="Reverse delegations"
      sub={
        <>
          <Term name="reverseZone">Zones</Term> of your address space that are delegated to your name servers.
        </>
      }
      actions={
        !asStaff && (
          <Row gap={8} wrap>
            <LinkButton variant="primary" icon="plus" href={hrefOfAdding('ipv4')}>
              Add IPv4 zones
            </LinkButton>
            <LinkButton href={hrefOfAdding('ipv6')}>Add IPv6 zones</LinkButton>
          </Row>
        )
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
