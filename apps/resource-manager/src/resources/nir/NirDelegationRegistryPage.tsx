import { read, useAccount, useAddress, useAnswer, useChange, useRefusal, useSteadyAnswer } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { nirSubaccounts } from '@portal/contract/nir/subaccounts';
import { pages } from '@portal/contract/pages';
import { type DelegatingKind, delegatingKinds, requestKinds } from '@portal/contract/requests/request-form';
import type { ResourceRequest } from '@portal/contract/requests/requests';
import { subaccountRequests } from '@portal/contract/requests/subaccounts';
import { Button, DateText, EmptyState, Field, formatCount, Link, Panel, Select, Sheet, SkeletonLines, Stack, StateMark } from '@portal/ui';
import { type Column, DataTable, emptyTableState } from '@portal/ui/table/DataTable';
import { useState } from 'react';
import { SidePanelLayout } from '../../shell/SidePanelLayout.tsx';
import { caseAddress, caseState, nextMoveWords } from '../../shell/case-words.ts';
import { FirstRead } from '../../shell/FirstRead.tsx';
import { NirPage } from './NirPage.tsx';
import { type ChosenSubaccount, firstSubaccounts, SubaccountField } from './SubaccountField.tsx';

const pageSize = 20;
const inputOf = (account: string, page: number) => ({ account, query: { limit: pageSize, offset: (page - 1) * pageSize } });

/** /resources/nirtools/resource_delegation_{product}: requests out of the registry's pool for sub-accounts; `?subaccount=ID` chooses one. */
export default function NirDelegationRegistryPage() {
  const { accountName: account } = useAccount();
  const subaccountId = useAddress().get('subaccount');
  const list = read(subaccountRequests.listSubaccountRequests, inputOf(account, 1));
  const members = read(nirSubaccounts.listSubaccounts, firstSubaccounts(account));
  return (
    <NirPage title={pages.nirDelegationRegistry.title} sub="Ask the registry for resources for a sub-account. It decides each request.">
      <FirstRead
        key={subaccountId ?? ''}
        reads={subaccountId === null ? [list, members] : [list, members, read(nirSubaccounts.getSubaccount, { account, subaccountId })]}
        fallback={<SkeletonLines lines={8} label="Loading requests" />}
      >
        <Stack gap={16}>
          <SidePanelLayout>
            {subaccountId === null ? <Start chosen={null} /> : <StartFor subaccountId={subaccountId} />}
            <Panel title="How it works">
              <Stack gap={8}>
                <p className="small">
                  You evaluate your member’s need and describe it in the request. The registry reviews it like any other.
                </p>
                <p className="small">
                  What is approved is delegated to you and recorded with the sub-account in the same moment. The limit of the last pool
                  counts for the organisation, with all its sub-accounts.
                </p>
                <p className="small">Want a second opinion first? Save the draft and write to the registry about it.</p>
              </Stack>
            </Panel>
          </SidePanelLayout>
          <Cases />
        </Stack>
      </FirstRead>
    </NirPage>
  );
}

function StartFor({ subaccountId }: { subaccountId: string }) {
  const { accountName: account } = useAccount();
  const { name } = useAnswer(nirSubaccounts.getSubaccount, { account, subaccountId });
  return <Start chosen={{ subaccountId, name }} />;
}

function Start({ chosen }: { chosen: ChosenSubaccount | null }) {
  const { accountName: account } = useAccount();
  const address = useAddress();
  const refusal = useRefusal(subaccountRequests.startSubaccountRequest);
  const start = useChange(subaccountRequests.startSubaccountRequest, {
    refresh: [subaccountRequests.listSubaccountRequests],
    showsErrors: true,
    onDone: request => address.go(caseAddress(request)),
  });
  const form = useForm(
    subaccountRequests.startSubaccountRequest.body,
    { subaccountId: chosen?.subaccountId ?? '', kind: 'ipv4' as DelegatingKind },
    { name: 'subaccount-request', change: start, send: body => start.mutate({ account, body }) },
  );
  return (
    <Sheet title="New request">
      <Form form={form} label="New request">
        <SubaccountField
          label="Sub-account"
          chosen={chosen}
          onChoose={next => form.set({ subaccountId: next?.subaccountId ?? '' })}
          {...form.field('subaccountId')}
        />
        <Field label="Resource" {...form.field('kind')}>
          <Select {...form.input('kind')} options={delegatingKinds.map(value => ({ value, label: requestKinds[value] }))} />
        </Field>
        <div>
          <Button type="submit" variant="commit" busy={form.busy} refusal={refusal} refusalIn="note">
            Start request
          </Button>
        </div>
      </Form>
    </Sheet>
  );
}

const columns: Column<ResourceRequest>[] = [
  {
    id: 'asked',
    label: 'Request',
    cell: row => <Link href={caseAddress(row)}>{row.asked}</Link>,
    text: ({ asked }) => asked,
    wrap: true,
    fixed: true,
    card: 'key',
  },
  { id: 'subaccount', label: 'Sub-account', cell: ({ subaccount }) => subaccount, look: 'mono' },
  { id: 'reference', label: 'Reference', cell: ({ reference }) => <span className="nw">{reference}</span> },
  {
    id: 'state',
    label: 'State',
    cell: row => <StateMark state={caseState(row).state}>{caseState(row).words}</StateMark>,
    text: row => caseState(row).words,
    card: 'state',
  },
  {
    id: 'nextMove',
    label: 'Next move',
    cell: ({ place, ...row }) => (place === null ? nextMoveWords(row) : `${nextMoveWords(row)}, number ${place} in the queue`),
    wrap: true,
  },
  { id: 'resources', label: 'Result', cell: ({ resources }) => resources.join(', '), look: 'mono', wrap: true },
  { id: 'since', label: 'Since', cell: ({ since }) => <DateText value={since} />, look: 'quiet' },
];

function Cases() {
  const { accountName: account } = useAccount();
  const address = useAddress();
  const [state, setState] = useState(emptyTableState);
  const { answer, stale } = useSteadyAnswer(subaccountRequests.listSubaccountRequests, inputOf(account, state.page));
  const { rows, total, queue } = answer;
  return (
    <Sheet flush aria-label="Requests for sub-accounts">
      <DataTable
        caption={`Requests of ${account} for sub-accounts`}
        columns={columns}
        rows={rows}
        rowId={({ requestId }) => requestId}
        rowLabel={({ reference }) => reference}
        state={state}
        onStateChange={setState}
        total={total}
        pageSize={pageSize}
        loading={stale}
        onOpen={row => address.go(caseAddress(row))}
        countLabel={<span className="nw">{total === 1 ? '1 request' : `${formatCount(total)} requests`}</span>}
        tools={
          <span className="small quiet">
            {queue.medianDays === null
              ? `${queue.waiting} pending with the registry.`
              : `Median answer time of the last 30 days: ${queue.medianDays} working days.`}
          </span>
        }
        empty={<EmptyState title="No requests yet">Requests for your sub-accounts appear here with who has the next move.</EmptyState>}
      />
    </Sheet>
  );
}
