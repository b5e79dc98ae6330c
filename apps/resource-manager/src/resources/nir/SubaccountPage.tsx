import { read, reading, useAccount, useAddress, useAnswer, useKit, useRefusal } from '@portal/app-kit';
import { later } from '@portal/app-kit/page/later';
import { nirDelegations } from '@portal/contract/nir/delegations';
import { nirEntities } from '@portal/contract/nir/entities';
import { nirSubaccounts } from '@portal/contract/nir/subaccounts';
import { Button, DateText, formatCount, Grid, KeyValueList, Link, Panel, Row, SkeletonLines, Stack } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { amountOf } from '../../shell/amounts.ts';
import { FirstRead, type Reads } from '../../shell/FirstRead.tsx';
import { NirPage } from './NirPage.tsx';
import { delegationPath, entitiesPath, registryPoolPath, subaccountPath, subaccountsPath, transferPath } from './nir-reads.ts';
import { EditSubaccount } from './SubaccountForm.tsx';

const SubaccountBlocks = later(() => import('./SubaccountBlocks.tsx'), 'SubaccountBlocks');

const within = { label: 'Sub-accounts', href: subaccountsPath };

/** One sub-account, named: what it holds, and what can be done for it; its record where that `isEdited`. */
export function SubaccountPage({ subaccountId, isEdited }: { subaccountId: string; isEdited: boolean }) {
  const { accountName: account } = useAccount();
  const { call } = useKit();
  const { data } = useQuery(reading(call, nirSubaccounts.getSubaccount, { account, subaccountId }));
  const record = read(nirSubaccounts.getSubaccount, { account, subaccountId });
  const reads: Reads = isEdited ? [record, read(nirEntities.listEntities, { account, query: { q: '', limit: 20 } })] : [record];
  return (
    <NirPage
      title={data?.name ?? 'Sub-account'}
      within={within}
      sub={
        data && (
          <>
            {data.entity} {data.entityLocalName && <bdi>{data.entityLocalName}</bdi>}
          </>
        )
      }
      actions={data && !isEdited && <Acts subaccountId={subaccountId} />}
    >
      <FirstRead key={String(isEdited)} reads={reads} fallback={<SkeletonLines lines={6} label="Loading the sub-account" />}>
        {isEdited ? <EditSubaccount subaccountId={subaccountId} /> : <Held subaccountId={subaccountId} />}
      </FirstRead>
    </NirPage>
  );
}

function Acts({ subaccountId }: { subaccountId: string }) {
  const { accountName: account } = useAccount();
  const address = useAddress();
  const delegates = useRefusal(nirDelegations.addNirDelegation);
  const moves = useRefusal(nirDelegations.moveNirDelegations);
  const { name, status, delegations } = useAnswer(nirSubaccounts.getSubaccount, { account, subaccountId });
  return (
    <Row gap={8} wrap>
      <Button icon="edit" onClick={() => address.go(`${subaccountPath(subaccountId)}&edit=yes`)}>
        Edit
      </Button>
      <Button
        refusal={moves ?? (delegations === 0 ? { reason: `${name} holds nothing` } : null)}
        onClick={() => address.go(`${transferPath}?from=${subaccountId}`)}
      >
        Move
      </Button>
      <Button
        variant="primary"
        icon="plus"
        refusal={delegates ?? (status === 'closed' ? { reason: `${name} is closed` } : null)}
        onClick={() => address.go(`${delegationPath}?add=yes&subaccount=${subaccountId}`)}
      >
        Delegate
      </Button>
    </Row>
  );
}

function Held({ subaccountId }: { subaccountId: string }) {
  const { accountName: account } = useAccount();
  const { product } = useKit().environment;
  const subaccount = useAnswer(nirSubaccounts.getSubaccount, { account, subaccountId });
  const { delegations, ipv4, ipv6, asns, openRequests, openedOn, closedOn, contactName, email, remarks, entity, entityId, status } =
    subaccount;
  return (
    <Grid columns="split-wide">
      <Suspense fallback={<SkeletonLines lines={8} label="Loading its numbers" />}>
        <SubaccountBlocks subaccountId={subaccountId} />
      </Suspense>
      <Stack gap={16}>
        <Panel title="Holdings">
          <KeyValueList
            items={[
              { key: 'Delegations', value: formatCount(delegations) },
              { key: 'IPv4', value: ipv4 === '0' ? '0' : amountOf('ipv4', BigInt(ipv4)) },
              { key: 'IPv6', value: ipv6 === '0' ? '0' : amountOf('ipv6', BigInt(ipv6)) },
              { key: 'AS numbers', value: formatCount(Number(asns)) },
              {
                key: 'Open requests',
                value:
                  status === 'open' ? (
                    <Link href={`${registryPoolPath(product)}?subaccount=${subaccountId}`}>{formatCount(openRequests)}</Link>
                  ) : (
                    formatCount(openRequests)
                  ),
              },
              { key: 'Opened', value: <DateText value={openedOn} shape="date" /> },
              ...(closedOn === null ? [] : [{ key: 'Closed', value: <DateText value={closedOn} shape="date" /> }]),
            ]}
          />
        </Panel>
        <Panel title="Record">
          <KeyValueList
            items={[
              { key: 'Organisation', value: <Link href={`${entitiesPath}?entity=${entityId}`}>{entity}</Link> },
              { key: 'Contact', value: contactName || 'Not recorded' },
              { key: 'E-mail', value: email || 'Not recorded' },
              ...(remarks === '' ? [] : [{ key: 'Remarks', value: remarks }]),
            ]}
          />
        </Panel>
      </Stack>
    </Grid>
  );
}
