import { read, useAccount, useAddress, useAnswer } from '@portal/app-kit';
import { recordAddress } from '@portal/contract/records/record-address';
import { resources } from '@portal/contract/resources/resources';
import { formatCount, Sheet, Tabs } from '@portal/ui';
import { FirstRead } from '../../shell/FirstRead.tsx';
import { TableSkeleton } from '../../shell/TableSkeleton.tsx';
import { asNumberColumns } from '../holding/as-number-columns.tsx';
import { addressColumns, DelegationsTable } from '../holding/DelegationsTable.tsx';
import styles from './OwnResources.module.css';

const families = [
  { kind: 'ipv4', label: 'IPv4', columns: addressColumns('ipv4') },
  { kind: 'ipv6', label: 'IPv6', columns: addressColumns('ipv6') },
] as const;

/** The account's holdings, each linked to its own page; prefixes one family at a time (`?kind=ipv6`). */
export function OwnResources({ of }: { of: 'prefixes' | 'AS numbers' }) {
  const address = useAddress();
  const { accountName: account } = useAccount();
  const open = ({ resource }: { resource: string }) => address.go(recordAddress(resource));
  return (
    <Sheet flush aria-label={`${of} of ${account}`}>
      {of === 'AS numbers' ? (
        <DelegationsTable kind="asn" columns={asNumberColumns} onSelect={open} />
      ) : (
        <FirstRead reads={[read(resources.getSummary, { account })]} fallback={<TableSkeleton />}>
          <OwnPrefixes onSelect={open} />
        </FirstRead>
      )}
    </Sheet>
  );
}

function OwnPrefixes({ onSelect }: { onSelect: (row: { resource: string }) => void }) {
  const address = useAddress();
  const { totals } = useAnswer(resources.getSummary, { account: useAccount().accountName });
  const counted = families.map(each => ({ ...each, held: totals.find(({ kind }) => kind === each.kind)?.delegations ?? 0 }));
  // An account with IPv6 alone starts there.
  const { kind, columns } = counted.find(each => each.kind === address.get('kind')) ?? counted.find(({ held }) => held > 0) ?? counted[0]!;
  return (
    <>
      <div className={styles.tabs}>
        <Tabs
          label="Families"
          items={counted.map(each => ({
            href: `/resources/prefix?kind=${each.kind}`,
            label: each.label,
            count: formatCount(each.held),
            current: each.kind === kind,
          }))}
        />
      </div>
      <DelegationsTable key={kind} kind={kind} columns={columns} onSelect={onSelect} />
    </>
  );
}
