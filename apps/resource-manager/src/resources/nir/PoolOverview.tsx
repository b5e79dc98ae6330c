import { read, reading, useAccount, useAddress, useKit, useRead, useRefusal } from '@portal/app-kit';
import { nirDelegations } from '@portal/contract/nir/delegations';
import { nirSubaccounts } from '@portal/contract/nir/subaccounts';
import { resources } from '@portal/contract/resources/resources';
import { parseRange } from '@portal/number-resources';
import { EmptyState, formatCount, formatShare, Grid, Icon, type IconName, KeyValueList, Link, ResourceName, Sheet } from '@portal/ui';
import { AddressMap } from '@portal/ui/map/AddressMap';
import { FilterSelect } from '@portal/ui/table/FilterSelect';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { amountOf, amountWords, poolText, shareOf } from '../../shell/amounts.ts';
import { blocksOf } from '../../shell/map-blocks.ts';
import styles from './Nir.module.css';
import { useIpv4Limit } from './ipv4-limit.ts';
import { delegationPath, differencesPath, registryPoolPath, subaccountsPath } from './nir-reads.ts';

type Family = 'ipv4' | 'ipv6';
/** Below this share of free space the pool is said to run out. */
const SHORT = 0.1;

const summaryOf = (account: string) => read(resources.getSummary, { account });
const mapOf = (account: string, kind: Family) => read(resources.getAddressMap, { account, query: { kind } });
const countsOf = (account: string) => read(nirSubaccounts.countSubaccounts, { account, query: {} });
/** The pool of a national registry: a picture of what is delegated and free, the totals, and what needs to be done. */
export function PoolOverview({ kind }: { kind: Family }) {
  const { accountName: account } = useAccount();
  const totals = useRead(summaryOf(account)).totals.find(each => each.kind === kind);
  if (!totals || totals.size === '0')
    return (
      <Sheet title="Pool">
        <EmptyState title={`No ${kind === 'ipv4' ? 'IPv4' : 'IPv6'} pool yet`}>
          Allocations of {account} appear here, with what of them is delegated and free.
        </EmptyState>
      </Sheet>
    );
  const [size, used] = [BigInt(totals.size), BigInt(totals.used)];
  return (
    <Grid columns="split-wide">
      <PoolMap kind={kind} />
      <div className={styles.aside}>
        <Sheet title="Totals">
          <KeyValueList
            items={[
              { key: 'Pool', value: amountWords(kind, size) },
              { key: 'Delegated', value: `${amountOf(kind, used)}, ${formatShare(shareOf(used, size))}` },
              { key: 'Free', value: `${amountOf(kind, size - used)}, ${formatShare(shareOf(size - used, size))}` },
              { key: 'Allocations', value: formatCount(totals.delegations) },
            ]}
          />
        </Sheet>
        <ToDo kind={kind} freeShare={shareOf(size - used, size)} />
      </div>
    </Grid>
  );
}

/** An allocation to scale. A press on a free block begins a delegation of it; one on any other finds it in the list below. */
function PoolMap({ kind }: { kind: Family }) {
  const { accountName: account } = useAccount();
  const { call } = useKit();
  const address = useAddress();
  const mayDelegate = useRefusal(nirDelegations.addNirDelegation) === null;
  const first = useRead(mapOf(account, kind));
  const [within, setWithin] = useState<string | null>(null);
  const { data: other } = useQuery({
    ...reading(call, resources.getAddressMap, { account, query: { kind, within: within ?? first.within } }),
    enabled: within !== null && within !== first.within,
  });
  const map = within === null || within === first.within ? first : (other ?? first);
  const text = useMemo(() => poolText(kind, parseRange(map.first).first), [kind, map.first]);
  const blocks = useMemo(() => blocksOf(map, map), [map]);
  const choose = (label: string) => {
    const block = blocks.find(each => each.id === label);
    if (block?.kind === 'free' && mayDelegate) address.go(`${delegationPath}?add=yes&block=${encodeURIComponent(label)}`);
    else address.set({ q: label, after: null });
  };
  const { holdings } = first;
  return (
    <Sheet
      title="Pool"
      meta={<ResourceName kind={kind} text={map.within} strong />}
      actions={
        holdings.length > 1 && (
          <FilterSelect
            label="Allocation"
            value={map.within}
            onChange={setWithin}
            options={[...new Set([map.within, ...holdings.map(each => each.within)])].map(value => ({ value, label: value }))}
          />
        )
      }
    >
      <AddressMap
        kind={kind}
        cover={{ label: map.within, sizeLog2: map.sizeLog2 }}
        blocks={blocks}
        text={text}
        maxRows={8}
        onOpen={choose}
      />
      <p className="small quiet">
        {mayDelegate ? 'Double-click a free block, or press Enter on it, to delegate it.' : 'Double-click a block to find it in the list.'}
      </p>
    </Sheet>
  );
}

type Task = { icon: IconName; words: string; href: string; act: string };

/** Tasks about the pool and its members, each with the page where it is done. */
function ToDo({ kind, freeShare }: { kind: Family; freeShare: number }) {
  const { accountName: account } = useAccount();
  const { environment } = useKit();
  const { holdings } = useRead(countsOf(account));
  const limit = useIpv4Limit();
  const { none, more } = holdings;
  const tasks: Task[] = [
    ...(freeShare < SHORT
      ? [
          {
            icon: 'warning' as const,
            words: `${formatShare(freeShare)} of the pool is free. Request more before it runs out.`,
            href: '/resources/ipv4_request_form'.replace('ipv4', kind),
            act: 'Request space',
          },
        ]
      : []),
    ...(more > 0 && limit !== null
      ? [
          {
            icon: 'warning' as const,
            words: `${members(more)} more than a /${limit} of IPv4, the limit for new delegations.`,
            href: `${subaccountsPath}?holding=more`,
            act: 'Show them',
          },
        ]
      : []),
    ...(none > 0
      ? [
          {
            icon: 'info' as const,
            words: `${members(none)} no IPv4 yet.`,
            href: `${subaccountsPath}?holding=none`,
            act: 'Show them',
          },
        ]
      : []),
    {
      icon: 'check',
      words: 'Compare your own list with the registry’s.',
      href: differencesPath,
      act: 'Find differences',
    },
    {
      icon: 'inbox',
      words: 'Space for a member that your pool can’t give comes from the registry.',
      href: registryPoolPath(environment.product),
      act: 'Registry delegations',
    },
  ];
  return (
    <Sheet title="To do" flush>
      <ul className={styles.tasks}>
        {tasks.map(({ icon, words, href, act }) => (
          <li key={words}>
            <Icon name={icon} />
            <span>{words}</span>
            <Link href={href}>{act}</Link>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}

const members = (count: number): string => `${formatCount(count)} ${count === 1 ? 'sub-account holds' : 'sub-accounts hold'}`;
