import {
  Page,
  type PageReads,
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
  WhyNot,
} from '@portal/app-kit';
import { member } from '@portal/contract';
import { whoisCustomers } from '@portal/contract/customers/customers';
import { recordAddress } from '@portal/contract/records/record-address';
import { type Registration, resources } from '@portal/contract/resources/resources';
import {
  Badge,
  Button,
  CopyButton,
  DateText,
  Disclosure,
  EmptyState,
  formatCount,
  LinkButton,
  ResourceName,
  Segmented,
  Sheet,
  Stack,
  classNames,
} from '@portal/ui';
import { type Column, DataTable } from '@portal/ui/table/DataTable';
import { useState } from 'react';
import { FirstRead } from '../../shell/FirstRead.tsx';
import { AccountNote } from '../../shell/AccountNote.tsx';
import { amountOf, plural } from '../../shell/amounts.ts';
import { statusWords } from '../delegation-words.ts';
import { ExportButtons } from '@portal/ui/table/ExportButtons';
import { FilterInput } from '../FilterInput.tsx';
import { FilterSelect } from '@portal/ui/table/FilterSelect';
import { wordsOf } from '../kind-words.ts';
import styles from './RegistrationsPage.module.css';
import { OutsideBoundary } from '../../shell/OutsideBoundary.tsx';
import { ResourcesBreadcrumb } from '../ResourcesBreadcrumb.tsx';
import { TableSkeleton } from '../../shell/TableSkeleton.tsx';

type Family = 'ipv4' | 'ipv6';
const pageSizes = ['50', '100', '500'] as const;
const visibilities = ['public', 'private'] as const;
/** Reading private registrations takes a separate permission (specification, section 6). */
const seePrivate = { access: member('whois-private-objects-view', { staff: 'private-data' }) };

/** Registrations below the delegations of one family, with free space. */
export function RegistrationsPage({ kind }: { kind: Family }) {
  const title = `${wordsOf[kind].name} registrations`;
  return (
    <Page
      title={title}
      breadcrumb={<ResourcesBreadcrumb page={title} />}
      sub="Assignments and sub-allocations, with the free space between them."
    >
      <AccountNote />
      <Stack gap={16}>
        <PrivateNote />
        <Sheet flush aria-label={title}>
          <InsideParent kind={kind} />
        </Sheet>
      </Stack>
    </Page>
  );
}

/** Says that private registrations are left out, and who can help. */
function PrivateNote() {
  const refusal = refusedBy(seePrivate, useMaybeSession());
  if (!refusal) return null;
  return (
    <Disclosure summary="Private registrations are hidden. Why?">
      <WhyNot refusal={refusal} title="Private registrations" />
    </Disclosure>
  );
}

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

type Line = Registration & { heading?: boolean };

/** In the tree each delegation heads what lies below it. */
function withHeadings(rows: readonly Registration[]): Line[] {
  return rows.flatMap((row, index) =>
    row.parent === rows[index - 1]?.parent ? [row] : [{ ...row, resource: row.parent, registrationId: null, level: 0, heading: true }, row],
  );
}

/** The server refuses a parent that isn't the account's; the page says so and stays. */
function InsideParent({ kind }: { kind: Family }) {
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
      <Registrations kind={kind} />
    </OutsideBoundary>
  );
}

const place = {
  sorts: ['resource'],
  hidden: ['status', 'parent', 'economy', 'updatedAt'],
  filters: ['q', 'parent', 'visibility'],
} as const;

/** Returns the filters in the address, and the read of the registrations that match. */
function callOf(kind: Family, { account, address: query }: ReadsOf, table: TableRows<'resource'>) {
  const pageSize = Number(query.oneOf('rows', pageSizes));
  const visibility = visibilities.find(each => each === table.filter('visibility'));
  const free = query.oneOf('free', ['yes', 'no']);
  const filters = {
    kind,
    q: table.filter('q'),
    ...(table.filter('parent') ? { parent: table.filter('parent') } : {}),
    ...(visibility ? { visibility } : {}),
  };
  const input = { account, query: { ...filters, free, offset: (table.page - 1) * pageSize, limit: pageSize } };
  return { pageSize, visibility, free, filters, input };
}

/** Reads the table's state from the address: page, filters, and the call that answers them. */
function useRegistrationTable(kind: Family) {
  const account = useAccount().accountName;
  const query = useAddress();
  const table = useTablePlace({ id: `resources.${kind}ShowList`, ...place });
  return { account, query, table, ...callOf(kind, { account, address: query }, table) };
}

const assignAddress = (within: string): string => `/resources/customers/customer_management?${new URLSearchParams({ add: 'yes', within })}`;

const allocationsOf = (kind: Family, account: string) =>
  read(resources.listDelegations, { account, query: { kind, type: 'allocated', limit: 500 } });

/** The reads with which the page of a family begins. */
export const registrationReads =
  (kind: Family): PageReads =>
  page => [read(resources.listRegistrations, callOf(kind, page, tableRows(page.address, place)).input), allocationsOf(kind, page.account)];

function Registrations({ kind }: { kind: Family }) {
  const { account, input } = useRegistrationTable(kind);
  return (
    <FirstRead reads={[read(resources.listRegistrations, input), allocationsOf(kind, account)]} fallback={<TableSkeleton />}>
      <FoundRegistrations kind={kind} />
    </FirstRead>
  );
}

function FoundRegistrations({ kind }: { kind: Family }) {
  const { account, query, table, pageSize, filters, input } = useRegistrationTable(kind);
  const { page } = wordsOf[kind];
  const view = query.oneOf('view', ['list', 'tree']);
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const { answer, stale } = useSteadyAnswer(resources.listRegistrations, input);
  const save = useDownload(resources.exportRegistrations);
  const mayAssign = !refusedBy(whoisCustomers.addAssignment, useMaybeSession());
  const rows: Line[] = view === 'tree' ? withHeadings(answer.rows) : answer.rows;

  return (
    <DataTable
      caption={`${wordsOf[kind].name} registrations of ${account}`}
      columns={columnSets[kind][view] as Column<Line>[]}
      rows={rows}
      rowId={row => `${row.heading ? 'heading ' : row.row === 'free' ? 'free ' : ''}${row.resource}`}
      rowLabel={row => row.resource}
      rowLook={row => (row.heading ? 'group' : row.row === 'free' ? 'gap' : undefined)}
      state={{ ...table.state, sort: null }}
      onStateChange={table.onStateChange}
      total={answer.total}
      pageSize={pageSize}
      loading={stale}
      onOpen={row => query.go(`${page}?selected=${encodeURIComponent(row.resource)}`)}
      rowActions={row => (
        <>
          {row.row === 'free' && mayAssign && (
            <LinkButton size="s" variant="quiet" icon="plus" href={assignAddress(row.resource)} aria-label={`Assign from ${row.resource}`}>
              Assign
            </LinkButton>
          )}
          <LinkButton size="s" variant="quiet" href={recordAddress(row.resource)} aria-label={`Details of ${row.resource}`}>
            Details
          </LinkButton>
        </>
      )}
      countLabel={
        <span className="nw">
          {formatCount(answer.total)} {plural(answer.total, 'row', 'rows')}
        </span>
      }
      exportMenu={<ExportButtons what="registrations" save={format => save({ account, query: { ...filters, format } })} />}
      tools={<RegistrationTools kind={kind} total={answer.total} />}
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
      empty={<NoRegistrations kind={kind} />}
    />
  );
}

/** Filters, order and length of the table. @param total rows that match */
function RegistrationTools({ kind, total }: { kind: Family; total: number }) {
  const { account, query, table, pageSize, visibility, free } = useRegistrationTable(kind);
  const parents = useRead(allocationsOf(kind, account)).rows.map(row => row.resource);
  const parent = table.filter('parent');
  const mayReadPrivate = !refusedBy(seePrivate, useMaybeSession());
  return (
    <>
      <FilterInput kind={kind} label="Filter registrations" value={table.filter('q')} onChange={q => table.setFilters({ q })} />
      <Segmented
        label="Order"
        options={[
          { value: 'list', label: 'List' },
          { value: 'tree', label: 'Tree' },
        ]}
        value={query.oneOf('view', ['list', 'tree'])}
        onChange={next => query.set({ view: next === 'list' ? null : next })}
      />
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
        label="Show"
        value={visibility ?? (free === 'no' ? 'registered' : '')}
        onChange={value =>
          query.set({ page: null, free: value === 'registered' ? 'no' : null, visibility: value === 'registered' ? null : value })
        }
        options={[
          { value: '', label: 'With free space' },
          { value: 'registered', label: 'Registered only' },
          ...(mayReadPrivate
            ? [
                { value: 'public', label: 'Public only' },
                { value: 'private', label: 'Private only' },
              ]
            : []),
        ]}
      />
      {total > 50 && (
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
function NoRegistrations({ kind }: { kind: Family }) {
  const { account, query, table, free } = useRegistrationTable(kind);
  const filtered = Object.keys(table.state.filters).length > 0;
  return filtered || free === 'no' ? (
    <EmptyState
      title={filtered ? 'No matches' : 'No registrations yet'}
      action={
        <Button onClick={() => query.set({ q: null, parent: null, visibility: null, free: null, page: null })}>
          {filtered ? 'Clear the filters' : 'Show the free space'}
        </Button>
      }
    >
      No registration of {account} matches these filters.
    </EmptyState>
  ) : (
    <EmptyState title="No registrations yet">Assignments and sub-allocations of {account} appear here, with free space.</EmptyState>
  );
}
