import { read, type ReadsOf, type TableRows, tableRows, useAccount, useDownload, useSteadyAnswer, useTablePlace } from '@portal/app-kit';
import { recordAddress } from '@portal/contract/records/record-address';
import type { ResourceKind } from '@portal/contract/resources/resource-kinds';
import { type Delegation, delegationSorts, delegationTypes, resources } from '@portal/contract/resources/resources';
import { Badge, Button, DateText, EmptyState, formatCount, LinkButton, Meter, ResourceName } from '@portal/ui';
import { type Column, DataTable } from '@portal/ui/table/DataTable';
import type { ReactNode } from 'react';
import { FirstRead } from '../../shell/FirstRead.tsx';
import { useTickedRows } from '../../shell/ticked-rows.tsx';
import { amountOf, plural, shareOf } from '../../shell/amounts.ts';
import { sourceWords, stateWords, statusWords } from '../delegation-words.ts';
import { ExportButtons } from '@portal/ui/table/ExportButtons';
import { FilterInput } from '../FilterInput.tsx';
import { FilterSelect } from '@portal/ui/table/FilterSelect';
import { wordsOf } from '../kind-words.ts';
import { TableSkeleton } from '../../shell/TableSkeleton.tsx';

const pageSize = 50;

const date = (value: string | null): ReactNode =>
  value ? <DateText value={value} shape="date" /> : <span className="quiet">not known</span>;

/** Ledger columns that every kind of number resource has. */
const common: Column<Delegation>[] = [
  {
    id: 'delegatedOn',
    label: 'Delegated on',
    cell: row => date(row.delegatedOn),
    text: row => row.delegatedOn ?? '',
    sortable: true,
    look: 'quiet',
  },
  { id: 'economy', label: 'Economy', cell: row => row.economy ?? '', sortable: true, look: 'quiet', card: 'none' },
  { id: 'source', label: 'Source', cell: row => sourceWords[row.source], card: 'none' },
];

const state: Column<Delegation> = {
  id: 'status',
  label: 'State',
  cell: row => (row.status === 'active' ? 'Active' : <Badge kind="warning">{stateWords[row.status]}</Badge>),
  sortable: true,
  card: 'none',
};

/** Columns of address space; those of AS numbers are the page's own. */
export const addressColumns = (kind: 'ipv4' | 'ipv6'): Column<Delegation>[] => [
  {
    id: 'resource',
    label: kind === 'ipv4' ? 'Prefix or range' : 'Prefix',
    cell: row => <ResourceName kind={kind} text={row.resource} strong />,
    text: row => row.resource,
    sortable: true,
    fixed: true,
  },
  {
    id: 'size',
    label: kind === 'ipv4' ? 'Addresses' : 'Size',
    cell: row => <span className="nw">{amountOf(kind, BigInt(row.size))}</span>,
    text: row => row.size,
    sortable: true,
    align: 'end',
  },
  {
    id: 'type',
    label: 'Status',
    cell: row => <Badge kind="line">{statusWords(row)}</Badge>,
    text: row => row.statusText ?? '',
    sortable: true,
    card: 'state',
  },
  {
    id: 'used',
    label: 'Used',
    cell: row =>
      row.type === 'assigned' ? (
        <span className="quiet">Own use</span>
      ) : row.registrations === 0 ? (
        <span className="quiet">No assignments registered</span>
      ) : (
        <Meter share={shareOf(BigInt(row.used), BigInt(row.size))} kind={kind} />
      ),
    text: row => row.used,
    sortable: true,
  },
  { id: 'registrations', label: 'Registrations', cell: row => formatCount(row.registrations), sortable: true, align: 'end' },
  ...common.slice(0, 2),
  {
    id: 'holdUntil',
    label: 'Hold until',
    cell: row => (row.holdUntil ? <DateText value={row.holdUntil} shape="date" /> : ''),
    text: row => row.holdUntil ?? '',
    sortable: true,
    look: 'quiet',
  },
  ...common.slice(2),
  state,
];

/** The ledger columns after those of the kind. */
export const ledgerColumns = [...common, state];

type TableProps = {
  kind: ResourceKind;
  columns: Column<Delegation>[];
  selected?: string | null;
  onSelect?: (delegation: Delegation) => void;
  /** The choice of what is listed in its place. */
  switcher?: ReactNode;
};

const place = {
  sorts: delegationSorts,
  hidden: ['source', 'status', 'holdUntil'],
  filters: ['q', 'type', 'economy'],
};

/** Returns the filters in the address, and the read of the delegations that match. */
function callOf(kind: ResourceKind, account: string, table: TableRows<(typeof delegationSorts)[number]>) {
  const type = delegationTypes.find(each => each === table.filter('type'));
  const filters = {
    kind,
    q: table.filter('q'),
    sort: table.sort,
    direction: table.direction,
    ...(type ? { type } : {}),
    ...(/^[a-z]{2}$/i.test(table.filter('economy')) ? { economy: table.filter('economy').toUpperCase() } : {}),
  };
  const input = { account, query: { ...filters, offset: (table.page - 1) * pageSize, limit: pageSize } };
  return { type, filters, input };
}

/** Reads the table's state from the address: page, filters, and the call that answers them. */
function useDelegationTable(kind: ResourceKind) {
  const account = useAccount().accountName;
  const table = useTablePlace({ id: `resources.${kind}`, ...place });
  return { account, table, ...callOf(kind, account, table) };
}

/** The read with which the table of delegations begins. */
export const delegationsOf = (kind: ResourceKind, { account, address }: ReadsOf) =>
  read(resources.listDelegations, callOf(kind, account, tableRows(address, place)).input);

/**
 * The delegations of one kind, by the sorting, filters and page in the address. Clicking a row selects it; the selection is shown beside the map.
 */
export function DelegationsTable(props: TableProps) {
  const { account, input } = useDelegationTable(props.kind);
  return (
    <FirstRead reads={[read(resources.listDelegations, input), read(resources.getSummary, { account })]} fallback={<TableSkeleton />}>
      <FoundDelegations {...props} />
    </FirstRead>
  );
}

function FoundDelegations({ kind, columns, selected, onSelect, switcher }: TableProps) {
  const { account, table, type, filters, input } = useDelegationTable(kind);
  const { one, several, none } = wordsOf[kind];
  const ticked = useTickedRows();
  const { answer, stale } = useSteadyAnswer(resources.listDelegations, input);
  const { answer: summary } = useSteadyAnswer(resources.getSummary, { account });
  const save = useDownload(resources.exportDelegations);
  const economies = summary.economies.flatMap(({ economy }) => economy ?? []);
  const filtered = Object.keys(table.state.filters).length > 0;
  const clear = () => table.setFilters({ q: null, type: null, economy: null });

  return (
    <DataTable
      caption={`${several} of ${account}`}
      columns={columns}
      rows={answer.rows}
      rowId={row => row.resource}
      rowLabel={row => row.resource}
      state={table.state}
      onStateChange={table.onStateChange}
      total={answer.total}
      pageSize={pageSize}
      loading={stale}
      current={selected ?? null}
      {...(onSelect && { onOpen: onSelect })}
      rowActions={row => (
        <LinkButton size="s" variant="quiet" href={recordAddress(row.resource)} aria-label={`Details of ${row.resource}`}>
          Details
        </LinkButton>
      )}
      countLabel={
        <span className="nw">
          {formatCount(answer.total)} {plural(answer.total, one, several)}
        </span>
      }
      exportMenu={<ExportButtons what={several} save={format => save({ account, query: { ...filters, format } })} />}
      tools={
        <>
          <FilterInput kind={kind} label={`Filter ${several}`} value={table.filter('q')} onChange={q => table.setFilters({ q })} />
          {switcher}
          <FilterSelect
            label="Type"
            value={type ?? ''}
            onChange={value => table.setFilters({ type: value })}
            options={[
              { value: '', label: 'Any type' },
              { value: 'allocated', label: 'Allocated' },
              { value: 'assigned', label: 'Assigned' },
            ]}
          />
          {(economies.length > 1 || table.filter('economy')) && (
            <FilterSelect
              label="Economy"
              value={table.filter('economy')}
              onChange={value => table.setFilters({ economy: value })}
              options={[{ value: '', label: 'Any economy' }, ...economies.map(economy => ({ value: economy, label: economy }))]}
            />
          )}
        </>
      }
      selection={ticked}
      empty={
        filtered ? (
          <EmptyState title="No matches" action={<Button onClick={clear}>Clear the filters</Button>}>
            No {one} of {account} matches these filters.
          </EmptyState>
        ) : (
          <EmptyState title={none.title}>{none.words}</EmptyState>
        )
      }
    />
  );
}
