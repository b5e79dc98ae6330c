import { read, reading, useAccount, useAddress, useAnswer, useChange, useKit, useRefusal, useSteadyAnswer } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import type { AnswerOf } from '@portal/contract';
import { rehearsalOf } from '@portal/contract/dry-run';
import { type MoveReason, maxMovedDelegations, moveReasons, type NirDelegation, nirDelegations } from '@portal/contract/nir/delegations';
import { nirSubaccounts } from '@portal/contract/nir/subaccounts';
import { requests } from '@portal/contract/requests/requests';
import {
  Button,
  Checkbox,
  EmptyState,
  Field,
  FormColumn,
  formatCount,
  KeyValueList,
  LinkButton,
  Panel,
  Segmented,
  Select,
  Sheet,
  SkeletonLines,
  Stack,
  StateMark,
  TextInput,
} from '@portal/ui';
import { DataTable, emptyTableState } from '@portal/ui/table/DataTable';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { SidePanelLayout } from '../../shell/SidePanelLayout.tsx';
import { FirstRead } from '../../shell/FirstRead.tsx';
import { delegationColumns } from './delegation-columns.tsx';
import { KeysetPager } from './KeysetPager.tsx';
import { NirPage } from './NirPage.tsx';
import { delegationReads, transferPath as home } from './nir-reads.ts';
import { type ChosenSubaccount, firstSubaccounts, SubaccountField } from './SubaccountField.tsx';

const kinds = ['ipv4', 'ipv6', 'asn'] as const;
const shownColumns = delegationColumns.filter(({ id }) => id !== 'subaccount' && id !== 'entity');

/** /resources/nirtools/subaccount_transfer: moves what one sub-account holds to another; `?from=ID` chooses the source. */
export default function SubaccountTransferPage() {
  const { accountName: account } = useAccount();
  const address = useAddress();
  const from = address.get('from');
  const first = read(nirSubaccounts.listSubaccounts, firstSubaccounts(account));
  return (
    <NirPage title="Sub-account transfer" sub="Move resources between your sub-accounts. Register and whois follow in the same change.">
      <FirstRead
        key={from ?? ''}
        reads={from === null ? [first] : [first, read(nirSubaccounts.getSubaccount, { account, subaccountId: from })]}
        fallback={<SkeletonLines lines={6} label="Loading sub-accounts" />}
      >
        <Stack gap={16}>
          {from === null ? <Source chosen={null} /> : <Move from={from} />}
          <OtherAccounts />
        </Stack>
      </FirstRead>
    </NirPage>
  );
}

function Source({ chosen }: { chosen: ChosenSubaccount | null }) {
  const address = useAddress();
  return (
    <Sheet aria-label="Source">
      <FormColumn>
        <SubaccountField
          label="From sub-account"
          chosen={chosen}
          onChoose={next => {
            if (next && next.subaccountId !== chosen?.subaccountId) address.go(`${home}?from=${next.subaccountId}`);
          }}
        />
      </FormColumn>
    </Sheet>
  );
}

/** Other holders get resources by the transfers that all accounts use. */
function OtherAccounts() {
  const { accountName: account } = useAccount();
  const { call } = useKit();
  const seesRequests = useRefusal(requests.getEligibility) === null;
  const { data } = useQuery({
    ...reading(call, requests.getEligibility, { account, kind: 'acquisition' }),
    enabled: seesRequests,
  });
  return (
    <Panel title="To another account">
      <Stack gap={12}>
        <p className="small">
          A member that leaves your registry, or joins another one, gets its resources by a merger or acquisition transfer: the other
          account accepts{data && ` within ${data.terms.acknowledgeDays} days`}, and the registry approves. A change of membership has no
          transfer fee.
        </p>
        <div>
          <LinkButton size="s" href="/resources/acquisition_transfer_request">
            Start a transfer
          </LinkButton>
        </div>
      </Stack>
    </Panel>
  );
}

/** The form of a transfer, its change, and what the last review of these values found. */
function useMove({ from, source, to }: { from: string; source: { name: string }; to: ChosenSubaccount | null }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const address = useAddress();
  const [seen, setSeen] = useState<string | null>(null);
  const move = useChange(nirDelegations.moveNirDelegations, {
    refresh: delegationReads,
    showsErrors: true,
    onDone: ({ stored, rows, closed }) => {
      if (!stored) return;
      setSeen(null);
      notify({
        text: `${rows.length} ${rows.length === 1 ? 'delegation' : 'delegations'} moved to ${to!.name}.${closed ? ` ${source.name} is closed.` : ''}`,
      });
      address.go(`/resources/nirtools/resource_delegation_nir?subaccount=${to!.subaccountId}`);
    },
  });
  const form = useForm(
    nirDelegations.moveNirDelegations.body,
    { delegationIds: [] as readonly string[], to: '', reason: '' as MoveReason | '', note: '', closeSource: false },
    {
      name: 'move',
      toBody: values => ({ ...values, from, dryRun: true }),
      check: ({ delegationIds }) => ({
        ...(delegationIds.length === 0 && { delegationIds: 'Select at least one delegation' }),
        ...(delegationIds.length > maxMovedDelegations && {
          delegationIds: `Select at most ${maxMovedDelegations} delegations at a time`,
        }),
      }),
      ifEmpty: { to: 'Choose the sub-account that receives' },
      change: move,
      send(body, values) {
        setSeen(JSON.stringify(values));
        move.mutate({ account, body });
      },
    },
  );
  const preview = seen === JSON.stringify(form.values) && !move.data?.stored ? (move.data?.rows ?? null) : null;
  return { form, move, preview };
}

function Move({ from }: { from: string }) {
  const { accountName: account } = useAccount();
  const refusal = useRefusal(nirDelegations.moveNirDelegations);
  const dryRunRefusal = useRefusal(rehearsalOf(nirDelegations.moveNirDelegations));
  const source = useAnswer(nirSubaccounts.getSubaccount, { account, subaccountId: from });
  const [to, setTo] = useState<ChosenSubaccount | null>(null);
  const { form, move, preview } = useMove({ from, source, to });
  const { values } = form;
  const ticked = new Set(values.delegationIds);
  const body = { ...values, delegationIds: [...ticked], reason: values.reason as MoveReason, from };
  return (
    <>
      <Source chosen={{ subaccountId: from, name: source.name }} />
      <SidePanelLayout>
        <FirstRead
          reads={[read(nirDelegations.listNirDelegations, inputOf(account, from, kinds[0], null))]}
          fallback={<SkeletonLines lines={6} label="Loading delegations" />}
        >
          <Held from={from} name={source.name} ticked={ticked} onTick={chosen => form.set({ delegationIds: [...chosen] })} />
        </FirstRead>
        <Stack gap={16}>
          <Sheet aria-label="Transfer">
            <Form form={form} label="Transfer">
              <Selected count={ticked.size} {...form.field('delegationIds')} />
              <SubaccountField
                label="To sub-account"
                chosen={to}
                onChoose={next => {
                  setTo(next);
                  form.set({ to: next?.subaccountId ?? '' });
                }}
                except={from}
                {...form.field('to')}
              />
              <Field label="Reason" {...form.field('reason')}>
                <Select
                  {...form.input('reason')}
                  options={[
                    { value: '', label: 'Choose a reason' },
                    ...Object.entries(moveReasons).map(([value, label]) => ({ value, label })),
                  ]}
                />
              </Field>
              <Field label="Note" optional help="Kept in the activity log" {...form.field('note')}>
                <TextInput {...form.input('note')} />
              </Field>
              <Checkbox
                checked={values.closeSource}
                help="Only if nothing is left in it"
                onChange={({ target }) => form.set({ closeSource: target.checked })}
              >
                Close {source.name} afterwards
              </Checkbox>
              <div>
                <Button type="submit" variant="primary" busy={form.busy} refusal={dryRunRefusal} refusalIn="note">
                  Review
                </Button>
              </div>
            </Form>
          </Sheet>
          {preview && (
            <Review
              rows={preview}
              busy={move.isPending}
              refusal={refusal}
              onMove={() => move.mutate({ account, body: { ...body, dryRun: false } })}
            />
          )}
        </Stack>
      </SidePanelLayout>
    </>
  );
}

/** How many delegations are selected, or why the selection can't be moved. */
const Selected = ({ count, id, error }: { count: number; id?: string; error?: string | undefined }) => (
  <div id={id} tabIndex={-1} role={error ? 'alert' : undefined}>
    {error ? (
      <StateMark state="invalid">{error}</StateMark>
    ) : (
      <span className="small quiet">
        {count} {count === 1 ? 'delegation' : 'delegations'} selected
      </span>
    )}
  </div>
);

/** The review of a transfer: each delegation with its description in whois before and after, and the button that moves it. */
const Review = ({
  rows,
  busy,
  refusal,
  onMove,
}: {
  rows: AnswerOf<typeof nirDelegations.moveNirDelegations>['rows'];
  busy: boolean;
  refusal: ReturnType<typeof useRefusal>;
  onMove: () => void;
}) => (
  <Panel
    title="Review"
    pending
    footer={
      <Button variant="commit" busy={busy} refusal={refusal} onClick={onMove}>
        Move {formatCount(rows.length)} {rows.length === 1 ? 'delegation' : 'delegations'}
      </Button>
    }
  >
    <output className="vh">Review of the transfer is ready</output>
    <KeyValueList
      align="left"
      items={rows.map(({ delegationId, resource, before, after }) => ({
        key: <span className="mono">{resource}</span>,
        id: delegationId,
        value: after === null ? 'Whois doesn’t change' : `descr: ${before ?? ''} → ${after}`,
      }))}
    />
  </Panel>
);

const inputOf = (account: string, subaccountId: string, kind: (typeof kinds)[number], after: string | null) => ({
  account,
  query: { kind, subaccountId, limit: 100, ...(after !== null && { after }) },
});

function Held({
  from,
  name,
  ticked,
  onTick,
}: {
  from: string;
  name: string;
  ticked: ReadonlySet<string>;
  onTick: (ticked: ReadonlySet<string>) => void;
}) {
  const { accountName: account } = useAccount();
  const address = useAddress();
  const kind = address.oneOf('kind', kinds);
  const { answer, stale } = useSteadyAnswer(nirDelegations.listNirDelegations, inputOf(account, from, kind, address.get('after')));
  const here = new Set(answer.rows.map(({ delegationId }) => delegationId));
  return (
    <Sheet
      title="Holdings"
      meta={`${ticked.size} selected`}
      flush
      actions={
        <Segmented
          label="Kind of resources"
          options={[
            { value: 'ipv4', label: 'IPv4' },
            { value: 'ipv6', label: 'IPv6' },
            { value: 'asn', label: 'AS numbers' },
          ]}
          value={kind}
          onChange={next => address.set({ kind: next, after: null })}
        />
      }
    >
      <DataTable<NirDelegation>
        caption={`Delegations of ${name}`}
        columns={shownColumns}
        rows={answer.rows}
        rowId={({ delegationId }) => delegationId}
        rowLabel={({ resource }) => resource}
        state={emptyTableState}
        pageSize={100}
        loading={stale}
        selection={{
          selected: new Set([...ticked].filter(id => here.has(id))),
          // Rows ticked on other pages and of other kinds stay selected.
          onChange: rows => onTick(new Set([...[...ticked].filter(id => !here.has(id)), ...rows])),
        }}
        empty={<EmptyState title="No delegations">{name} has no delegations of this kind.</EmptyState>}
      />
      <KeysetPager next={answer.next} />
    </Sheet>
  );
}
