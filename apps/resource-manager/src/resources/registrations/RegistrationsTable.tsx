import {
  read,
  type ReadsOf,
  refusedBy,
  type TableRows,
  tableRows,
  useAccount,
  useAddress,
  useDownload,
  useMaybeSession,
  useRead,
  useSteadyAnswer,
  useTablePlace,
} from '@portal/app-kit';
import { member } from '@portal/contract';
import { recordAddress } from '@portal/contract/records/record-address';
import { type Registration, resources } from '@portal/contract/resources/resources';
import {
  Badge,
  Button,
  CopyButton,
  DateText,
  EmptyState,
  formatCount,
  LinkButton,
  Meter,
  ResourceName,
  Segmented,
  classNames,
} from '@portal/ui';
import { type Column, DataTable } from '@portal/ui/table/DataTable';
import { type ReactNode, useState } from 'react';
import { FirstRead } from '../../shell/FirstRead.tsx';
import { amountOf, plural, shareOf } from '../../shell/amounts.ts';
import { statusWords } from '../delegation-words.ts';
import { ExportButtons } from '@portal/ui/table/ExportButtons';
import { FilterInput } from '../FilterInput.tsx';
import { FilterSelect } from '@portal/ui/table/FilterSelect';
import { wordsOf } from '../kind-words.ts';
import { AssignFree } from './AssignFree.tsx';
import styles from './RegistrationsPage.module.css';
import { OutsideBoundary } from '../../shell/OutsideBoundary.tsx';
import { TableSkeleton } from '../../shell/TableSkeleton.tsx';

type Family = 'ipv4' | 'ipv6';
const pageSizes = ['50', '100', '500'] as const;
/** The most rows of one answer: up to that many are filtered by what only the page knows of them. */
const MOST = 500;
const visibilities = ['public', 'private'] as const;
/** Reading private registrations takes a separate permission (specification, section 6). */
export const seePrivate = { access: member('whois-private-objects-view', { staff: 'private-data' }) };

/** Where the table is: a page of its own, or below a map that shows what is chosen in it. */
type Place = { id: string; hidden: readonly string[] };
const ownPlace = (kind: Family): Place => ({
  id: `resources.${kind}ShowList`,
  hidden: ['used', 'status', 'parent', 'economy', 'updatedAt'],
});
/** The table below a map. */
export type BesideMap = {
  place: Place;
  /** Columns after the netname and after the size. */
  columns: { route: Column<Registration>; zones: Column<Registration> | null };
  selected: string | null;
  onSelect: (resource: string) => void;
  /** The choice of what is listed in its place. */
  switcher: ReactNode;
  /** A further filter, and which rows match the chosen value: null if it is set to none, undefined until that is known. */
  filter: { tool: ReactNode; keeps: ((row: Registration) => boolean) | null | undefined; clear: Record<string, null> } | null;
};
type TableProps = { kind: Family; beside?: BesideMap };

const columnsOf = (kind: Family, tree: boolean): Column<Registration>[] => [
  {
    id: 'resource',
    label: kind === 'ipv4' ? 'Prefix or range' : 'Prefix',
    cell: row => (
      <span
        style={tree ? { paddingLeft: row.level * 20 } : undefined}
        className={classNames(row.resource.includes(' - ') && styles.range, tree && row.level > 0 && styles.inner)}
      >
        <ResourceName kind={kind} text={row.resource} strong={row.row === 'registration'} />
      </span>
    ),
    text: row => row.resource,
    fixed: true,
  },
  {
    id: 'netname',
    label: 'Netname',
    cell: row => row.netname && <span className="mono nw">{row.netname}</span>,
    text: row => row.netname ?? '',
  },
  {
    id: 'visibility',
    label: 'State',
    cell: row =>
      row.row === 'free' ? (
        'Free'
      ) : row.visibility === 'private' ? (
        <Badge icon="lock">Private</Badge>
      ) : (
        row.visibility && <Badge kind="line">Public</Badge>
      ),
    text: row => row.visibility ?? row.row,
    card: 'state',
  },
  {
    id: 'size',
    label: kind === 'ipv4' ? 'Addresses' : 'Size',
    cell: row => <span className="nw">{amountOf(kind, BigInt(row.size))}</span>,
    text: row => row.size,
    align: 'end',
  },
  {
    id: 'used',
    label: 'Used',
    cell: row => row.used !== null && <Meter share={shareOf(BigInt(row.used), BigInt(row.size))} kind={kind} />,
    text: row => row.used ?? '',
    card: 'none',
  },
  {
    id: 'status',
    label: 'Status',
    cell: row => row.statusText && statusWords({ statusText: row.statusText, type: 'assigned' }),
    card: 'none',
  },
  { id: 'customer', label: 'Customer', cell: row => row.customer, card: 'wide' },
  {
    id: 'parent',
    label: 'Below',
    cell: row => <span className="mono">{row.parent}</span>,
    text: row => row.parent,
    look: 'quiet',
    card: 'none',
  },
  { id: 'economy', label: 'Economy', cell: row => row.economy, look: 'quiet', card: 'none' },
  {
    id: 'registeredOn',
    label: 'Registered on',
    cell: row => row.registeredOn && <DateText value={row.registeredOn} shape="date" />,
    text: row => row.registeredOn ?? '',
    look: 'quiet',
  },
  {
    id: 'updatedAt',
    label: 'Last changed',
    cell: row => row.updatedAt && <DateText value={row.updatedAt} shape="date" />,
    text: row => row.updatedAt ?? '',
    look: 'quiet',
    card: 'none',
  },
];

const columnSets = {
  ipv4: { list: columnsOf('ipv4', false), tree: columnsOf('ipv4', true) },
  ipv6: { list: columnsOf('ipv6', false), tree: columnsOf('ipv6', true) },
};

/** The netname of a block; of free space, whose state has no column of its own there, that it is free. */
const nameOrFree = ({ row, netname }: Registration): ReactNode =>
  row === 'free' ? <span className="quiet">Free</span> : netname && <span className="mono nw">{netname}</span>;

/** Columns below a map, in the order of its drawing: what is announced and delegated of a block, and less of its registration. */
function besideColumns(kind: Family, { columns: { route, zones } }: BesideMap): Column<Registration>[] {
  const byId = new Map(columnSets[kind].list.map(column => [column.id, column]));
  const named = (...ids: string[]) => ids.flatMap(id => byId.get(id) ?? []);
  return [
    ...named('resource'),
    ...named('netname').map(column => ({ ...column, cell: nameOrFree })),
    route,
    ...named('size', 'used'),
    ...(zones ? [zones] : []),
    ...named('customer', 'registeredOn', 'visibility', 'status', 'parent', 'economy', 'updatedAt'),
  ];
}

type Line = Registration & { heading?: boolean };

/** In the tree each delegation heads what lies below it. */
function withHeadings(rows: readonly Registration[]): Line[] {
  return rows.flatMap((row, index) =>
    row.parent === rows[index - 1]?.parent ? [row] : [{ ...row, resource: row.parent, registrationId: null, level: 0, heading: true }, row],
  );
}

/** Registrations below the delegations of one family, with free space. The server refuses a parent that isn't the account's; the page says so and stays. */
export function RegistrationsTable(props: TableProps) {
  const { accountName } = useAccount();
  const query = useAddress();
  const parent = query.get('parent');
  return (
    <OutsideBoundary
      at={parent ?? ''}
      words={
        <>
          {parent} isn’t inside an allocation of {accountName}.
        </>
      }
      action={<Button onClick={() => query.set({ parent: null, page: null })}>Show every allocation</Button>}
    >
      <Registrations {...props} />
    </OutsideBoundary>
  );
}

const place = { sorts: ['resource'], filters: ['q', 'parent', 'visibility'] } as const;

/** Returns the filters in the address, and the read of the registrations that match. */
function callOf(kind: Family, { account, address: query }: ReadsOf, table: TableRows<'resource'>, isWhole = false) {
  const pageSize = isWhole ? MOST : Number(query.oneOf('rows', pageSizes));
  const visibility = visibilities.find(each => each === table.filter('visibility'));
  const free = query.oneOf('free', ['yes', 'no', 'only']);
  const filters = {
    kind,
    q: table.filter('q'),
    ...(table.filter('parent') ? { parent: table.filter('parent') } : {}),
    ...(visibility ? { visibility } : {}),
  };
  const input = { account, query: { ...filters, free, offset: (table.page - 1) * pageSize, limit: pageSize } };
  return { pageSize, visibility, free, filters, input };
}

const isFilteredHere = (beside: BesideMap | undefined): boolean => Boolean(beside?.filter && beside.filter.keeps !== null);

/** Reads the table's state from the address: page, filters, and the call that answers them. */
function useRegistrationTable({ kind, beside }: TableProps) {
  const account = useAccount().accountName;
  const query = useAddress();
  const table = useTablePlace({ ...place, ...(beside?.place ?? ownPlace(kind)) });
  return { account, query, table, ...callOf(kind, { account, address: query }, table, isFilteredHere(beside)) };
}

export const allocationsOf = (kind: Family, account: string) =>
  read(resources.listDelegations, { account, query: { kind, type: 'allocated', limit: 500 } });

/** The read with which the table begins. */
export const registrationsOf = (kind: Family, page: ReadsOf) =>
  read(resources.listRegistrations, callOf(kind, page, tableRows(page.address, place)).input);

function Registrations(props: TableProps) {
  const { kind } = props;
  const { account, input } = useRegistrationTable(props);
  return (
    <FirstRead reads={[read(resources.listRegistrations, input), allocationsOf(kind, account)]} fallback={<TableSkeleton />}>
      <FoundRegistrations {...props} />
    </FirstRead>
  );
}

function FoundRegistrations(props: TableProps) {
  const { kind, beside } = props;
  const { account, query, table, pageSize, filters, input } = useRegistrationTable(props);
  const { page } = wordsOf[kind];
  const view = beside ? 'list' : query.oneOf('view', ['list', 'tree']);
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const { answer, stale } = useSteadyAnswer(resources.listRegistrations, input);
  const save = useDownload(resources.exportRegistrations);
  const keeps = beside?.filter?.keeps;
  const isFiltered = isFilteredHere(beside) && answer.total <= MOST;
  const kept = isFiltered && keeps ? answer.rows.filter(keeps) : answer.rows;
  const rows: Line[] = view === 'tree' ? withHeadings(kept) : kept;
  const total = isFiltered ? rows.length : answer.total;

  return (
    <DataTable
      caption={`${wordsOf[kind].name} registrations of ${account}`}
      columns={(beside ? besideColumns(kind, beside) : columnSets[kind][view]) as Column<Line>[]}
      rows={rows}
      rowId={row => `${row.heading ? 'heading ' : row.row === 'free' ? 'free ' : ''}${row.resource}`}
      rowLabel={row => row.resource}
      rowLook={row => (row.heading ? 'group' : row.row === 'free' ? 'gap' : undefined)}
      state={{ ...table.state, sort: null }}
      onStateChange={table.onStateChange}
      total={total}
      pageSize={pageSize}
      loading={stale || (isFiltered && !keeps)}
      current={beside?.selected ?? null}
      onOpen={row => (beside ? beside.onSelect(row.resource) : query.go(`${page}?selected=${encodeURIComponent(row.resource)}`))}
      rowActions={row => (
        <>
          {row.row === 'free' && !beside && <AssignFree within={row.resource} />}
          <LinkButton size="s" variant="quiet" href={recordAddress(row.resource)} aria-label={`Details of ${row.resource}`}>
            Details
          </LinkButton>
        </>
      )}
      countLabel={
        <span className="nw">
          {formatCount(total)} {plural(total, 'row', 'rows')}
        </span>
      }
      exportMenu={<ExportButtons what="registrations" save={format => save({ account, query: { ...filters, format } })} />}
      tools={<RegistrationTools {...props} total={answer.total} />}
      selection={{
        selected: ticked,
        onChange: setTicked,
        canSelect: row => row.row === 'registration' && !row.heading,
        actions: (
          <CopyButton text={[...ticked].join('\n')} label="Copy as a list">
            Copy as a list
          </CopyButton>
        ),
      }}
      empty={<NoRegistrations {...props} />}
    />
  );
}

const stateOf = { yes: '', no: 'registered', only: 'free' } as const;

/** Filters, order and length of the table. @param total rows that match */
function RegistrationTools({ total, ...props }: TableProps & { total: number }) {
  const { kind, beside } = props;
  const { account, query, table, pageSize, visibility, free } = useRegistrationTable(props);
  const parents = useRead(allocationsOf(kind, account)).rows.map(row => row.resource);
  const parent = table.filter('parent');
  const mayReadPrivate = !refusedBy(seePrivate, useMaybeSession());
  return (
    <>
      <FilterInput kind={kind} label="Filter registrations" value={table.filter('q')} onChange={q => table.setFilters({ q })} />
      {beside?.switcher ?? (
        <Segmented
          label="Order"
          options={[
            { value: 'list', label: 'List' },
            { value: 'tree', label: 'Tree' },
          ]}
          value={query.oneOf('view', ['list', 'tree'])}
          onChange={next => query.set({ view: next === 'list' ? null : next })}
        />
      )}
      {(parents.length > 1 || parent) && (
        <FilterSelect
          label="Delegation"
          value={parent}
          onChange={value => table.setFilters({ parent: value })}
          options={[
            { value: '', label: 'Every delegation' },
            ...(parent && !parents.includes(parent) ? [{ value: parent, label: parent }] : []),
            ...parents.map(each => ({ value: each, label: each })),
          ]}
        />
      )}
      <FilterSelect
        label="State"
        value={visibility ?? stateOf[free]}
        onChange={value =>
          query.set({
            page: null,
            free: value === 'registered' ? 'no' : value === 'free' ? 'only' : null,
            visibility: visibilities.find(each => each === value) ?? null,
          })
        }
        options={[
          { value: '', label: 'Any state' },
          { value: 'registered', label: 'Registered' },
          { value: 'free', label: 'Free' },
          ...(mayReadPrivate
            ? [
                { value: 'public', label: 'Public' },
                { value: 'private', label: 'Private' },
              ]
            : []),
        ]}
      />
      {total <= MOST && beside?.filter?.tool}
      {total > 50 && !isFilteredHere(beside) && (
        <FilterSelect
          label="Rows per page"
          value={String(pageSize)}
          onChange={value => query.set({ rows: value === '50' ? null : value, page: null })}
          options={pageSizes.map(size => ({ value: size, label: `${size} rows` }))}
        />
      )}
    </>
  );
}

/** Says what an empty table would have. */
function NoRegistrations(props: TableProps) {
  const { account, query, table, free } = useRegistrationTable(props);
  const clear = props.beside?.filter?.clear;
  const filtered = Object.keys(table.state.filters).length > 0 || free === 'only' || isFilteredHere(props.beside);
  return filtered || free === 'no' ? (
    <EmptyState
      title={filtered ? 'No matches' : 'No registrations yet'}
      action={
        <Button onClick={() => query.set({ q: null, parent: null, visibility: null, free: null, page: null, ...clear })}>
          {filtered ? 'Clear the filters' : 'Show the free space'}
        </Button>
      }
    >
      No registration of {account} matches these filters.{props.beside && ' A delegation without assignments is listed under Delegations.'}
    </EmptyState>
  ) : (
    <EmptyState title="No registrations yet">Assignments and sub-allocations of {account} appear here, with free space.</EmptyState>
  );
}
