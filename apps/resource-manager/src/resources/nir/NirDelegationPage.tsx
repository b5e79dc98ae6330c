import { later } from '@portal/app-kit/page/later';
import { read, useAccount, useAddress, useChange, useDownload, useKit, useRefusal, useSteadyAnswer, useTablePlace } from '@portal/app-kit';
import { type NirDelegation, nirDelegations } from '@portal/contract/nir/delegations';
import { nirSubaccounts } from '@portal/contract/nir/subaccounts';
import { pages } from '@portal/contract/pages';
import { Button, EmptyState, formatCount, LinkButton, Row, Segmented, Sheet, SkeletonLines, Stack } from '@portal/ui';
import { ConfirmDialog } from '@portal/ui/overlay/Dialog';
import { DataTable } from '@portal/ui/table/DataTable';
import { ExportButtons } from '@portal/ui/table/ExportButtons';
import { FilterSearch } from '@portal/ui/table/FilterSearch';
import { Suspense, useState } from 'react';
import { FirstRead, type Reads } from '../../shell/FirstRead.tsx';
import { TableSkeleton } from '../../shell/TableSkeleton.tsx';
import { DelegationForm } from './DelegationForm.tsx';
import { DelegationImport } from './DelegationImport.tsx';
import { delegationColumns } from './delegation-columns.tsx';
import { KeysetPager } from './KeysetPager.tsx';
import { NirPage } from './NirPage.tsx';
import { delegationReads, differencesTitle, delegationPath as home } from './nir-reads.ts';
import { firstSubaccounts } from './SubaccountField.tsx';

const PoolOverview = later(() => import('./PoolOverview.tsx'), 'PoolOverview');
const NirDifferences = later(() => import('./NirDifferences.tsx'), 'NirDifferences');

const limit = 50;
const kinds = ['ipv4', 'ipv6', 'asn'] as const;
const kindWords = { ipv4: 'IPv4', ipv6: 'IPv6', asn: 'AS numbers' };
const within = { label: pages.nirDelegation.title, href: home };

/** /resources/nirtools/resource_delegation_nir: what sub-accounts hold; `?add=yes` delegates, `?import=yes` takes a file, `?subaccount=ID` shows those of one, `?differences=yes` compares a list. */
export default function NirDelegationPage() {
  const { accountName: account } = useAccount();
  const address = useAddress();
  const refusal = useRefusal(nirDelegations.addNirDelegation);
  const subaccountId = address.get('subaccount');
  if (address.get('add') !== null) {
    const members = read(nirSubaccounts.listSubaccounts, firstSubaccounts(account));
    const free = read(nirDelegations.listNirFreeSpace, { account, query: { kind: 'ipv4', length: 24 } });
    const reads: Reads =
      subaccountId === null ? [members, free] : [members, free, read(nirSubaccounts.getSubaccount, { account, subaccountId })];
    return (
      <NirPage
        title="New delegation"
        within={within}
        sub="Out of your own pool to a sub-account. Addresses get a whois object immediately."
      >
        <FirstRead key={subaccountId ?? ''} reads={reads} fallback={<SkeletonLines lines={8} label="Loading the form" />}>
          <DelegationForm subaccountId={subaccountId} block={address.get('block') ?? ''} />
        </FirstRead>
      </NirPage>
    );
  }
  if (address.get('import') !== null)
    return (
      <NirPage title="Import delegations" within={within} sub="Delegate many blocks and AS numbers to sub-accounts with one file.">
        <DelegationImport />
      </NirPage>
    );
  if (address.get('differences') !== null)
    return (
      <NirPage title={differencesTitle} sub="Your own list of delegations beside what the registry has.">
        <Suspense fallback={<SkeletonLines lines={8} label="Loading the comparison" />}>
          <NirDifferences />
        </Suspense>
      </NirPage>
    );
  const kind = address.oneOf('kind', kinds);
  const of = subaccountId === null ? '' : `&subaccount=${subaccountId}`;
  return (
    <NirPage
      title={pages.nirDelegation.title}
      sub="What your sub-accounts hold, and new delegations out of your own pool."
      actions={
        <Row gap={8} wrap>
          <Button icon="upload" refusal={refusal} onClick={() => address.go(`${home}?import=yes`)}>
            Import CSV
          </Button>
          <Button variant="primary" icon="plus" refusal={refusal} onClick={() => address.go(`${home}?add=yes${of}`)}>
            New delegation
          </Button>
        </Row>
      }
    >
      <Stack gap={16}>
        {kind !== 'asn' && subaccountId === null && (
          <Suspense key={kind} fallback={<SkeletonLines lines={10} label="Loading the pool" />}>
            <PoolOverview kind={kind} />
          </Suspense>
        )}
        <Sheet
          flush
          title="Held by sub-accounts"
          actions={
            <Segmented
              label="Kind of resources"
              value={kind}
              options={kinds.map(value => ({ value, label: kindWords[value] }))}
              onChange={next => address.set({ kind: next, after: null })}
            />
          }
        >
          <Delegations key={kind} />
        </Sheet>
      </Stack>
    </NirPage>
  );
}

function useDelegationTable() {
  const { accountName: account } = useAccount();
  const address = useAddress();
  const kind = address.oneOf('kind', kinds);
  const table = useTablePlace({ id: `nir.delegations.${kind}`, sorts: ['resource'], filters: ['q'] });
  const after = address.get('after');
  const subaccountId = address.get('subaccount');
  const filter = { kind, q: table.filter('q'), ...(subaccountId !== null && { subaccountId }) };
  return {
    account,
    kind,
    table,
    filter,
    subaccountId,
    setFilter: (change: Record<string, string | null>) => address.set({ ...change, after: null }),
    input: { account, query: { ...filter, limit, ...(after !== null && { after }) } },
  };
}

function Delegations() {
  const { account, input, subaccountId } = useDelegationTable();
  const list = read(nirDelegations.listNirDelegations, input);
  return (
    <FirstRead
      reads={subaccountId === null ? [list] : [list, read(nirSubaccounts.getSubaccount, { account, subaccountId })]}
      fallback={<TableSkeleton />}
    >
      <Found />
    </FirstRead>
  );
}

function Found() {
  const { account, kind, table, filter, subaccountId, setFilter, input } = useDelegationTable();
  const address = useAddress();
  const [returning, setReturning] = useState<NirDelegation | null>(null);
  const { answer, stale } = useSteadyAnswer(nirDelegations.listNirDelegations, input);
  const save = useDownload(nirDelegations.exportNirDelegations);
  const refusal = useRefusal(nirDelegations.returnNirDelegation);
  const filtered = filter.q !== '' || subaccountId !== null;
  return (
    <>
      <DataTable
        caption={`Delegations to sub-accounts of ${account}`}
        columns={delegationColumns}
        rows={answer.rows}
        rowId={({ delegationId }) => delegationId}
        rowLabel={({ resource }) => resource}
        state={{ ...table.state, sort: null, page: 1 }}
        onStateChange={table.onStateChange}
        pageSize={limit}
        loading={stale}
        onOpen={row => setReturning(row)}
        countLabel={
          <span className="nw">
            {answer.more && 'more than '}
            {formatCount(answer.total)} {answer.total === 1 ? 'delegation' : 'delegations'}
          </span>
        }
        exportMenu={<ExportButtons what="delegations" save={format => save({ account, query: { ...filter, format } })} />}
        tools={
          <>
            <FilterSearch
              label="Find a delegation"
              placeholder={kind === 'asn' ? 'AS number or name' : 'Address or name'}
              value={filter.q}
              onChange={q => setFilter({ q })}
            />
            {subaccountId !== null && <OfSubaccount subaccountId={subaccountId} onClear={() => setFilter({ subaccount: null })} />}
          </>
        }
        rowActions={row => (
          <Button size="s" refusal={refusal} onClick={() => setReturning(row)}>
            Return
          </Button>
        )}
        empty={
          <EmptyState
            title={filtered ? 'No matches' : 'No delegations yet'}
            action={
              filtered ? (
                <Button onClick={() => setFilter({ q: null, subaccount: null })}>Clear the filters</Button>
              ) : (
                <LinkButton href={`${home}?add=yes`}>Delegate the first</LinkButton>
              )
            }
          >
            {filtered
              ? 'No delegation matches by number, netname or sub-account.'
              : 'Blocks and AS numbers of your sub-accounts appear here.'}
          </EmptyState>
        }
      />
      <KeysetPager next={answer.next} />
      {returning && <Return row={returning} onClose={() => setReturning(null)} onGo={href => address.go(href)} />}
    </>
  );
}

function OfSubaccount({ subaccountId, onClear }: { subaccountId: string; onClear: () => void }) {
  const { accountName: account } = useAccount();
  const { answer } = useSteadyAnswer(nirSubaccounts.getSubaccount, { account, subaccountId });
  return (
    <Button size="s" icon="close" aria-label={`Show all sub-accounts, not only ${answer.name}`} onClick={onClear}>
      {answer.name}
    </Button>
  );
}

/** Asks before a delegation goes back into the pool; one of the registry's pool goes back to the registry, on a page of its own. */
function Return({ row, onClose, onGo }: { row: NirDelegation; onClose: () => void; onGo: (href: string) => void }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const { delegationId, resource, pool, subaccount, kind } = row;
  const returnBlock = useChange(nirDelegations.returnNirDelegation, {
    refresh: delegationReads,
    onDone: () => {
      notify({ text: `${resource} is back in your pool.` });
      onClose();
    },
  });
  if (pool === 'registry')
    return (
      <ConfirmDialog
        open
        onClose={onClose}
        title={`Return ${resource} to the registry?`}
        act="Start a return"
        onAct={() => onGo('/resources/ipv4_transfer_return')}
      >
        {resource} of {subaccount} came from the registry’s pool. A return is a request: the registry confirms it.
      </ConfirmDialog>
    );
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Take ${resource} back from ${subaccount}?`}
      act="Return to pool"
      kind="danger"
      busy={returnBlock.isPending}
      onAct={() => returnBlock.mutate({ account, delegationId })}
    >
      {kind === 'asn'
        ? 'It’s free immediately. Its whois object stays.'
        : 'Its whois object is deleted immediately; you can restore that from its history. The space rests for 30 days before it’s offered again.'}
    </ConfirmDialog>
  );
}
