import { read, useAccount, useAddress, useRefusal, useSteadyAnswer, useTablePlace } from '@portal/app-kit';
import { nirEntities } from '@portal/contract/nir/entities';
import { nirSubaccounts, type Subaccount, subaccountHoldings } from '@portal/contract/nir/subaccounts';
import { Button, DateText, EmptyState, formatCount, Link, Sheet, SkeletonLines, StateMark } from '@portal/ui';
import { type Column, DataTable } from '@portal/ui/table/DataTable';
import { FilterSearch } from '@portal/ui/table/FilterSearch';
import { FilterSelect } from '@portal/ui/table/FilterSelect';
import { useState } from 'react';
import { amountOf } from '../../shell/amounts.ts';
import { FirstRead } from '../../shell/FirstRead.tsx';
import { TableSkeleton } from '../../shell/TableSkeleton.tsx';
import { KeysetPager } from './KeysetPager.tsx';
import { NirPage } from './NirPage.tsx';
import styles from './Nir.module.css';
import { SubaccountSelection } from './SubaccountSelection.tsx';
import { Ipv4Cells, LetterIndex, SubaccountTotals } from './SubaccountTotals.tsx';
import { delegationPath, subaccountsPath as home } from './nir-reads.ts';
import { EditSubaccount, NewSubaccount } from './SubaccountForm.tsx';

const limit = 50;
const within = { label: 'Sub-accounts', href: home };
const entities = (account: string) => read(nirEntities.listEntities, { account, query: { q: '', limit: 20 } });

/** /resources/nirtools/subaccount_management: members of a national registry; `?add=yes` and `?subaccount=ID` open a form. */
export default function SubaccountsPage() {
  const { accountName: account } = useAccount();
  const address = useAddress();
  const refusal = useRefusal(nirSubaccounts.addSubaccount);
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
    return (
      <NirPage title="Sub-account" within={within}>
        <FirstRead
          key={subaccountId}
          reads={[read(nirSubaccounts.getSubaccount, { account, subaccountId }), entities(account)]}
          fallback={<SkeletonLines lines={6} label="Loading the sub-account" />}
        >
          <EditSubaccount subaccountId={subaccountId} />
        </FirstRead>
      </NirPage>
    );
  return (
    <NirPage
      title="Sub-accounts"
      sub="Members of your registry and what they hold."
      actions={
        <Button variant="primary" icon="plus" refusal={refusal} onClick={() => address.go(`${home}?add=yes`)}>
          New sub-account
        </Button>
      }
    >
      <Sheet flush aria-label="Sub-accounts">
        <Totals />
        <Subaccounts />
      </Sheet>
    </NirPage>
  );
}

function useSubaccountTable() {
  const { accountName: account } = useAccount();
  const address = useAddress();
  const table = useTablePlace({ id: 'nir.subaccounts', sorts: ['name'], filters: ['q', 'status', 'holding'] });
  const status = address.oneOf('status', ['all', 'open', 'closed']);
  const holding = subaccountHoldings.find(each => each === address.get('holding'));
  const after = address.get('after');
  return {
    account,
    table,
    status,
    setFilter: (change: Record<string, string | null>) => address.set({ ...change, after: null }),
    input: { account, query: { q: table.filter('q'), status, limit, ...(holding && { holding }), ...(after !== null && { after }) } },
  };
}

const columns: Column<Subaccount>[] = [
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
  { id: 'entity', label: 'Organisation', cell: ({ entity }) => entity, wrap: true, card: 'wide' },
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
  { id: 'openedOn', label: 'Opened', cell: ({ openedOn }) => <DateText value={openedOn} shape="date" />, look: 'quiet' },
];

function Totals() {
  const { account, input } = useSubaccountTable();
  const { q, status } = input.query;
  return (
    <FirstRead
      reads={[read(nirSubaccounts.countSubaccounts, { account, query: { q, status } })]}
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
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const filtered = table.filter('q') !== '' || status !== 'all' || input.query.holding !== undefined;
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
            </>
          }
          empty={
            <EmptyState
              title={filtered ? 'No matches' : 'No sub-accounts yet'}
              action={
                filtered ? (
                  <Button onClick={() => setFilter({ q: null, status: null, holding: null })}>Clear the filters</Button>
                ) : (
                  <Button onClick={() => address.go(`${home}?add=yes`)}>Open the first</Button>
                )
              }
            >
              {filtered
                ? 'No sub-account matches by name, organisation, handle, e-mail or numbers.'
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
