import type { NirDelegation } from '@portal/contract/nir/delegations';
import { recordAddress } from '@portal/contract/records/record-address';
import { Badge, DateText, Link, ResourceName } from '@portal/ui';
import type { Column } from '@portal/ui/table/DataTable';
import { amountOf } from '../../shell/amounts.ts';
import { subaccountsPath } from './nir-reads.ts';

/** Columns of what sub-accounts hold. */
export const delegationColumns: Column<NirDelegation>[] = [
  {
    id: 'resource',
    label: 'Resource',
    cell: ({ kind, resource }) => <ResourceName kind={kind} text={resource} href={recordAddress(resource)} strong />,
    text: ({ resource }) => resource,
    fixed: true,
    card: 'key',
  },
  {
    id: 'subaccount',
    label: 'Sub-account',
    cell: ({ subaccountId, subaccount }) => (
      <Link href={`${subaccountsPath}?subaccount=${subaccountId}`}>
        <span className="mono">{subaccount}</span>
      </Link>
    ),
    text: ({ subaccount }) => subaccount,
  },
  { id: 'entity', label: 'Organisation', cell: ({ entity }) => entity, wrap: true, card: 'wide' },
  { id: 'netname', label: 'Netname', cell: ({ netname }) => netname, look: 'mono' },
  {
    id: 'pool',
    label: 'Pool',
    cell: ({ pool }) => (pool === 'nir' ? <Badge kind="line">Own</Badge> : <Badge>Registry</Badge>),
    text: ({ pool }) => (pool === 'nir' ? 'Own' : 'Registry'),
    card: 'state',
  },
  { id: 'size', label: 'Amount', cell: ({ kind, size }) => <span className="nw">{amountOf(kind, BigInt(size))}</span>, align: 'end' },
  { id: 'delegatedOn', label: 'Delegated', cell: ({ delegatedOn }) => <DateText value={delegatedOn} shape="date" />, look: 'quiet' },
];
