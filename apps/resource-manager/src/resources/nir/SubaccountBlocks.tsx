import { reading, useAccount, useAnswer, useKit } from '@portal/app-kit';
import { type NirDelegation, nirDelegations } from '@portal/contract/nir/delegations';
import { recordAddress } from '@portal/contract/records/record-address';
import { resources } from '@portal/contract/resources/resources';
import { parseRange } from '@portal/number-resources';
import { EmptyState, ResourceName, Sheet, SkeletonLines, Stack } from '@portal/ui';
import { AddressMap, type MapBlock } from '@portal/ui/map/AddressMap';
import { DataTable, emptyTableState } from '@portal/ui/table/DataTable';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { mapText } from '../../shell/amounts.ts';
import { blocksOf } from '../../shell/map-blocks.ts';
import { delegationColumns } from './delegation-columns.tsx';
import { delegationPath } from './nir-reads.ts';

/** Maximum of delegations of a kind that are listed here; more are on the page of delegations. */
const limit = 100;

/** The holding of a sub-account: where its IPv4 lies in the pool, and a list of all. */
export function SubaccountBlocks({ subaccountId }: { subaccountId: string }) {
  const { accountName: account } = useAccount();
  const of = (kind: NirDelegation['kind']) => ({ account, query: { kind, subaccountId, limit } });
  const ipv4 = useAnswer(nirDelegations.listNirDelegations, of('ipv4'));
  const ipv6 = useAnswer(nirDelegations.listNirDelegations, of('ipv6'));
  const asns = useAnswer(nirDelegations.listNirDelegations, of('asn'));
  const rows = [...ipv4.rows, ...ipv6.rows, ...asns.rows];
  const total = ipv4.total + ipv6.total + asns.total;
  const blocks = ipv4.rows.filter(({ pool }) => pool === 'nir').map(({ resource }) => resource);
  return (
    <Stack gap={16}>
      {blocks.length > 0 && <InPool blocks={blocks} />}
      <Sheet flush title="Numbers">
        <DataTable
          caption="Numbers of the sub-account"
          columns={columns}
          rows={rows}
          rowId={({ delegationId }) => delegationId}
          rowLabel={({ resource }) => resource}
          state={emptyTableState}
          countLabel={
            total > rows.length ? <a href={`${delegationPath}?subaccount=${subaccountId}`}>Show all {total} delegations</a> : undefined
          }
          empty={<EmptyState title="No numbers yet">What you delegate to this sub-account appears here.</EmptyState>}
        />
      </Sheet>
    </Stack>
  );
}

const columns = delegationColumns.filter(({ id }) => id !== 'subaccount' && id !== 'entity');

/** The allocation that has the first of its blocks: its own blocks, those of others, and what is free. */
function InPool({ blocks }: { blocks: readonly string[] }) {
  const { accountName: account } = useAccount();
  const { call } = useKit();
  const { data: pools } = useQuery(reading(call, resources.listDelegations, { account, query: { kind: 'ipv4', limit: 100 } }));
  const first = parseRange(blocks[0]!);
  const around = pools?.rows.find(({ resource }) => {
    const pool = parseRange(resource);
    return pool.first <= first.first && pool.last >= first.last;
  })?.resource;
  const { data: map } = useQuery({
    ...reading(call, resources.getAddressMap, { account, query: { kind: 'ipv4', ...(around !== undefined && { within: around }) } }),
    enabled: around !== undefined,
  });
  const own = useMemo(() => {
    if (!map) return [];
    const origin = parseRange(map.first).first;
    const ranges = blocks.map(block => parseRange(block));
    // What is assigned further in a block of it is its own, too.
    const isOwn = ({ start, size }: MapBlock) =>
      ranges.some(({ first: from, last }) => from <= origin + start && origin + start + size - 1n <= last);
    return blocksOf(map, map).map(block =>
      block.kind === 'free' ? block : { ...block, kind: isOwn(block) ? ('customers' as const) : ('assigned' as const) },
    );
  }, [map, blocks]);
  const text = useMemo(
    () => ({
      ...mapText('ipv4', map ? parseRange(map.first).first : 0n),
      kinds: { customers: 'This sub-account', assigned: 'Other registrations' },
    }),
    [map],
  );
  if (around !== undefined && !map) return <SkeletonLines lines={8} label="Loading the map of your pool" />;
  if (!map) return null;
  return (
    <Sheet title="In your pool" meta={<ResourceName kind="ipv4" text={map.within} href={recordAddress(map.within)} />}>
      <AddressMap kind="ipv4" cover={{ label: map.within, sizeLog2: map.sizeLog2 }} blocks={own} text={text} maxRows={8} />
    </Sheet>
  );
}
