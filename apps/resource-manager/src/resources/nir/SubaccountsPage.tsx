import { saveTextFile } from '@portal/app-kit/documents/save-text-file';
import { read, reading, useAccount, useAddress, useKit, useRefusal, useSteadyAnswer, useTablePlace } from '@portal/app-kit';
import { nirDelegations } from '@portal/contract/nir/delegations';
import { nirEntities } from '@portal/contract/nir/entities';
import { type ListedSubaccount, nirSubaccounts, subaccountHoldings } from '@portal/contract/nir/subaccounts';
import { resources } from '@portal/contract/resources/resources';
import { Button, DateText, EmptyState, formatCount, Link, Row, Sheet, SkeletonLines, Stack, StateMark } from '@portal/ui';
import { type Column, DataTable } from '@portal/ui/table/DataTable';
import { FilterSearch } from '@portal/ui/table/FilterSearch';
import { FilterSelect } from '@portal/ui/table/FilterSelect';
import { useQuery } from '@tanstack/react-query';
import { later } from '@portal/app-kit/page/later';
import { Fragment, Suspense, useState } from 'react';
import { amountOf } from '../../shell/amounts.ts';
import { FirstRead } from '../../shell/FirstRead.tsx';
import { TableSkeleton } from '../../shell/TableSkeleton.tsx';
import { kindFilters, sinceFilters, subaccountFilter } from './subaccount-filters.ts';
import { KeysetPager } from './KeysetPager.tsx';
import { NirPage } from './NirPage.tsx';
import styles from './Nir.module.css';
import { SubaccountSelection } from './SubaccountSelection.tsx';
import { Ipv4Cells, LetterIndex, SubaccountTotals } from './SubaccountTotals.tsx';
import { delegationPath, subaccountsPath as home } from './nir-reads.ts';
import { subaccountsAsCsv } from './subaccounts-csv.ts';
import { NewSubaccount } from './SubaccountForm.tsx';
import { SubaccountPage } from './SubaccountPage.tsx';

const SubaccountWork = later(() => import('./SubaccountWork.tsx'), 'SubaccountWork');

const limit = 50;
const within = { label: 'Sub-accounts', href: home };
const entities = (account: string) => read(nirEntities.listEntities, { account, query: { q: '', limit: 20 } });

/** /resources/nirtools/subaccount_management: members of a national registry; `?add=yes` opens a form, `?subaccount=ID` one of them, `?delegate=ID` and `?import=yes` one below the list. */
export default function SubaccountsPage() {
  const { accountName: account } = useAccount();
  const address = useAddress();
  const refusal = useRefusal(nirSubaccounts.addSubaccount);
  const imports = useRefusal(nirDelegations.importNirDelegations);
  const subaccountId = address.get('subaccount');
  const entityId = address.get('entity');
  if (address.get('add') !== null)
    return (
      <NirPage title="New sub-account" within={within} sub="A member of your registry that holds resources.">
        <FirstRead
          key={entityId ?? ''}
          reads={entityId ? [entities(account), read(nirEntities.getEntity, { account, entityId })] : [entities(account)]}
          fallback={<SkeletonLines lines={6} label="Loading the form" />}
        >
          <NewSubaccount entity={entityId} />
        </FirstRead>
      </NirPage>
    );
  if (subaccountId !== null)
    return <SubaccountPage key={subaccountId} subaccountId={subaccountId} isEdited={address.get('edit') !== null} />;
  return (
    <NirPage
      title="Sub-accounts"
      sub={<Serves />}
      actions={
        <Row gap={8} wrap>
          <ExportAll />
          <Button icon="upload" refusal={imports} onClick={() => address.set({ import: 'yes' }, { step: 'in-place' })}>
            Import CSV
          </Button>
          <Button variant="primary" icon="plus" refusal={refusal} onClick={() => address.go(`${home}?add=yes`)}>
            New sub-account
          </Button>
        </Row>
      }
    >
      <Stack gap={16}>
        <Sheet flush aria-label="Sub-accounts">
          <Totals />
          <Subaccounts />
        </Sheet>
        {(address.get('delegate') !== null || address.get('import') !== null) && (
          <Suspense fallback={<SkeletonLines lines={8} label="Loading the form" />}>
            <SubaccountWork />
          </Suspense>
        )}
      </Stack>
    </NirPage>
  );
}

/** How many members the national registry serves, and out of which blocks. */
function Serves() {
  const { accountName: account } = useAccount();
  const { call } = useKit();
  const { data: counts } = useQuery(reading(call, nirSubaccounts.countSubaccounts, { account, query: {} }));
  const { data: held } = useQuery(reading(call, resources.listDelegations, { account, query: { kind: 'ipv4', limit: 100 } }));
  const pools = (held?.rows ?? []).flatMap(({ type, status, resource }) => (type === 'allocated' && status === 'active' ? [resource] : []));
  if (!counts || pools.length === 0) return 'Members of your registry and what they hold.';
  return (
    <>
      {account} serves {formatCount(counts.total)} {counts.total === 1 ? 'member' : 'members'} from{' '}
      {pools.slice(0, NAMED).map((resource, place) => (
        <Fragment key={resource}>
          {place > 0 && ', '}
          <span className="mono nw">{resource}</span>
        </Fragment>
      ))}
      {pools.length > NAMED && ` and ${formatCount(pools.length - NAMED)} more blocks`}.
    </>
  );
}
const NAMED = 3;

/** Saves every sub-account that the filters of the list match as a CSV file. */
function ExportAll() {
  const { account, input } = useSubaccountTable();
  const { call, showErrors } = useKit();
  const [busy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    try {
      const { after: _after, limit: _limit, ...filter } = input.query as typeof input.query & { after?: string };
      const rows: ListedSubaccount[] = [];
      for (let after: string | null = ''; after !== null; ) {
        const answer: Awaited<ReturnType<typeof call<typeof nirSubaccounts.listSubaccounts>>> = await call(nirSubaccounts.listSubaccounts, {
          account,
          query: { ...filter, limit: 200, ...(after !== '' && { after }) },
        });
        if (answer.errors) return showErrors(answer.errors);
        rows.push(...answer.data.rows);
        after = answer.data.next;
      }
      saveTextFile(`subaccounts-${account}.csv`, subaccountsAsCsv(rows));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button icon="download" busy={busy} onClick={() => void save()}>
      Export
    </Button>
  );
}

function useSubaccountTable() {
  const { accountName: account } = useAccount();
  const address = useAddress();
  const table = useTablePlace({ id: 'nir.subaccounts', sorts: ['name'], filters: ['q', 'status', 'holding', 'holds', 'changed'] });
  const status = address.oneOf('status', ['all', 'open', 'closed']);
  const holding = subaccountHoldings.find(each => each === address.get('holding'));
  const after = address.get('after');
  return {
    account,
    table,
    status,
    setFilter: (change: Record<string, string | null>) => address.set({ ...change, after: null }),
    input: {
      account,
      query: { ...subaccountFilter(address), limit, ...(holding && { holding }), ...(after !== null && { after }) },
    },
  };
}

const columns: Column<ListedSubaccount>[] = [
  {
    id: 'name',
    label: 'Sub-account',
    cell: ({ subaccountId, name }) => (
      <Link href={`${home}?subaccount=${subaccountId}`}>
        <span className="mono">{name}</span>
      </Link>
    ),
    text: ({ name }) => name,
    fixed: true,
    card: 'key',
  },
  {
    id: 'entity',
    label: 'Organisation',
    cell: ({ entity, entityLocalName }) => (
      <>
        {entity}
        {entityLocalName && (
          <>
            {' '}
            <bdi className="quiet">{entityLocalName}</bdi>
          </>
        )}
      </>
    ),
    text: ({ entity }) => entity,
    wrap: true,
    card: 'wide',
  },
  {
    id: 'status',
    label: 'Status',
    cell: ({ status }) => <StateMark state={status === 'open' ? 'valid' : 'closed'}>{status === 'open' ? 'Open' : 'Closed'}</StateMark>,
    text: ({ status }) => status,
    card: 'state',
  },
  {
    id: 'delegations',
    label: 'Delegations',
    cell: ({ subaccountId, delegations }) =>
      delegations === 0 ? '0' : <Link href={`${delegationPath}?subaccount=${subaccountId}`}>{formatCount(delegations)}</Link>,
    text: ({ delegations }) => String(delegations),
    align: 'end',
  },
  { id: 'ipv4', label: 'IPv4', cell: ({ ipv4 }) => <Ipv4Cells size={BigInt(ipv4)} />, text: ({ ipv4 }) => ipv4 },
  { id: 'ipv6', label: 'IPv6', cell: ({ ipv6 }) => (ipv6 === '0' ? '' : amountOf('ipv6', BigInt(ipv6))), align: 'end' },
  { id: 'asns', label: 'AS numbers', cell: ({ asns }) => (asns === '0' ? '' : formatCount(Number(asns))), align: 'end' },
  { id: 'objects', label: 'Objects', cell: ({ objects }) => (objects === 0 ? '' : formatCount(objects)), align: 'end' },
  { id: 'updatedAt', label: 'Changed', cell: ({ updatedAt }) => <DateText value={updatedAt} shape="date" />, look: 'quiet' },
  { id: 'openedOn', label: 'Opened', cell: ({ openedOn }) => <DateText value={openedOn} shape="date" />, look: 'quiet' },
];

function Totals() {
  const { accountName: account } = useAccount();
  const address = useAddress();
  return (
    <FirstRead
      reads={[read(nirSubaccounts.countSubaccounts, { account, query: subaccountFilter(address) })]}
      fallback={<SkeletonLines lines={2} label="Loading counts" />}
    >
      <SubaccountTotals />
    </FirstRead>
  );
}

function Subaccounts() {
  const { input } = useSubaccountTable();
  return (
    <FirstRead reads={[read(nirSubaccounts.listSubaccounts, input)]} fallback={<TableSkeleton />}>
      <Found />
    </FirstRead>
  );
}

function Found() {
  const { account, table, status, setFilter, input } = useSubaccountTable();
  const address = useAddress();
  const { answer, stale } = useSteadyAnswer(nirSubaccounts.listSubaccounts, input);
  const kind = address.get('holds') ?? '';
  const changed = address.get('changed') ?? '';
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const filtered = table.filter('q') !== '' || status !== 'all' || input.query.holding !== undefined || kind !== '' || changed !== '';
  return (
    <div className={styles.indexed}>
      <div>
        <DataTable
          caption={`Sub-accounts of ${account}`}
          columns={columns}
          rows={answer.rows}
          rowId={({ subaccountId }) => subaccountId}
          rowLabel={({ name }) => name}
          state={{ ...table.state, sort: null, page: 1 }}
          onStateChange={table.onStateChange}
          pageSize={limit}
          loading={stale}
          selection={{
            selected,
            onChange: setSelected,
            actions: <SubaccountSelection ticked={answer.rows.filter(({ subaccountId }) => selected.has(subaccountId))} />,
          }}
          onOpen={({ subaccountId }) => address.go(`${home}?subaccount=${subaccountId}`)}
          countLabel={
            <span className="nw">
              {formatCount(answer.total)} {answer.total === 1 ? 'sub-account' : 'sub-accounts'}
            </span>
          }
          tools={
            <>
              <FilterSearch
                label="Find a sub-account"
                placeholder="Name, handle, prefix or AS number"
                value={table.filter('q')}
                onChange={q => setFilter({ q })}
              />
              <FilterSelect
                label="Status"
                value={status}
                onChange={value => setFilter({ status: value === 'all' ? null : value })}
                options={[
                  { value: 'all', label: 'Open and closed' },
                  { value: 'open', label: 'Open' },
                  { value: 'closed', label: 'Closed' },
                ]}
              />
              <FilterSelect label="Holds" value={kind} onChange={value => setFilter({ holds: value || null })} options={kindFilters} />
              <FilterSelect
                label="Changed since"
                value={changed}
                onChange={value => setFilter({ changed: value || null })}
                options={sinceFilters}
              />
            </>
          }
          empty={
            <EmptyState
              title={filtered ? 'No matches' : 'No sub-accounts yet'}
              action={
                filtered ? (
                  <Button onClick={() => setFilter({ q: null, status: null, holding: null, holds: null, changed: null })}>
                    Clear the filters
                  </Button>
                ) : (
                  <Button onClick={() => address.go(`${home}?add=yes`)}>Open the first</Button>
                )
              }
            >
              {filtered
                ? 'No sub-account matches. The search looks at names, organisations, handles, e-mail addresses and numbers.'
                : 'Members of your registry appear here with what they hold.'}
            </EmptyState>
          }
        />
        <KeysetPager next={answer.next} />
      </div>
      <LetterIndex />
    </div>
  );
}
