import type { CallAnswer, ServiceFailure } from '@portal/app-kit';
import { useAccount, useAddress, useAnswer, useChange, useRefusal, useSteadyAnswer } from '@portal/app-kit';
import { later } from '@portal/app-kit/page/later';
import { Form } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { nirDelegations } from '@portal/contract/nir/delegations';
import { nirSubaccounts } from '@portal/contract/nir/subaccounts';
import { resources } from '@portal/contract/resources/resources';
import { recordAddress } from '@portal/contract/records/record-address';
import {
  Button,
  ButtonRow,
  Checkbox,
  Field,
  Grid,
  KeyValueList,
  LinkButton,
  Mono,
  Panel,
  Segmented,
  Select,
  Sheet,
  SkeletonLines,
  Stack,
  TextInput,
} from '@portal/ui';
import { type ReactNode, Suspense, useState } from 'react';
import { SidePanelLayout } from '../../shell/SidePanelLayout.tsx';
import { amountWords } from '../../shell/amounts.ts';
import styles from './Nir.module.css';
import { useIpv4Limit } from './ipv4-limit.ts';
import { delegationReads, delegationPath as home } from './nir-reads.ts';
import { type ChosenSubaccount, SubaccountField } from './SubaccountField.tsx';

type Kind = 'ipv4' | 'ipv6' | 'asn';
type Preview = CallAnswer<typeof nirDelegations.previewNirDelegation>;
const usualLengths: Record<Kind, number> = { ipv4: 24, ipv6: 32, asn: 32 };

type Around = {
  /** There is room for one column only: the review is below the form. */
  isNarrow?: boolean;
  /** The prefix to begin with; empty for none. */
  block?: string;
  /** Closes the form where it is a part of a page, instead of going to the list of delegations. */
  onClose?: () => void;
};

/** Delegates out of the own pool, to a sub-account that may be given. */
export function DelegationForm({ subaccountId, ...around }: Around & { subaccountId: string | null }) {
  return subaccountId === null ? <NewDelegation given={null} {...around} /> : <DelegationTo subaccountId={subaccountId} {...around} />;
}

function DelegationTo({ subaccountId, ...around }: Around & { subaccountId: string }) {
  const { accountName: account } = useAccount();
  const { name } = useAnswer(nirSubaccounts.getSubaccount, { account, subaccountId });
  return <NewDelegation given={{ subaccountId, name }} {...around} />;
}

type DelegationValues = ReturnType<typeof useDelegationForm>;

function NewDelegation({ given, isNarrow = false, block = '', onClose }: Around & { given: ChosenSubaccount | null }) {
  const { accountName: account } = useAccount();
  const address = useAddress();
  const refusal = useRefusal(nirDelegations.addNirDelegation);
  const [kind, setKind] = useState<Kind>(block.includes(':') ? 'ipv6' : 'ipv4');
  const [seen, setSeen] = useState<{ asked: string; preview: Preview } | null>(null);
  const look = useChange(nirDelegations.previewNirDelegation, {
    showsErrors: true,
    onDone: (preview, { body }) => setSeen({ asked: JSON.stringify(body), preview }),
  });
  const add = useChange(nirDelegations.addNirDelegation, { refresh: delegationReads });
  const form = useDelegationForm({ given, kind, block, look });
  const { values } = form;
  const body = { ...values, adminC: values.adminC.trim() || undefined, techC: values.techC.trim() || undefined };
  const rests = [look.error, add.error].some(error => (error as ServiceFailure | null)?.code === 'ASSIGNMENT_RESTS');
  // Exactly the reviewed values are saved: a change of the form discards the review.
  const preview = seen && sameValues(seen.asked, body) ? seen.preview : null;
  if (add.data) return <Delegated delegated={add.data} {...(onClose && { onClose })} />;
  const Layout = isNarrow ? Stacked : SidePanelLayout;
  return (
    <Layout>
      <Sheet aria-label="New delegation">
        <Form form={form}>
          <SubaccountField
            label="Sub-account"
            chosen={given}
            onChoose={chosen => form.set({ subaccountId: chosen?.subaccountId ?? '' })}
            {...form.field('subaccountId')}
          />
          <Segmented
            label="Resource"
            options={[
              { value: 'ipv4', label: 'IPv4' },
              { value: 'ipv6', label: 'IPv6' },
              { value: 'asn', label: 'AS number' },
            ]}
            value={kind}
            onChange={next => {
              setKind(next);
              form.set({ resource: '' });
            }}
          />
          <Field
            label={kind === 'asn' ? 'AS number' : 'Prefix'}
            help={kind === 'asn' ? 'Inside one of your AS number delegations' : 'Inside one of your allocations'}
            {...form.field('resource')}
          >
            <TextInput mono {...form.input('resource')} />
          </Field>
          {(rests || values.reuse) && (
            <Checkbox
              checked={values.reuse}
              help="Mail systems, abuse lists and DNS may still associate it with its previous user."
              onChange={({ target }) => form.set({ reuse: target.checked })}
            >
              Use it again now
            </Checkbox>
          )}
          {kind === 'ipv4' && (
            <Suspense fallback={<SkeletonLines lines={8} label="Loading the map of your pool" />}>
              <PoolMap chosen={values.resource} onChoose={resource => form.set({ resource })} />
            </Suspense>
          )}
          <FreeSpace key={kind} kind={kind} chosen={values.resource} onChoose={resource => form.set({ resource })} />
          {kind !== 'asn' && <NetworkFields form={form} />}
          <ButtonRow>
            <Button type="submit" variant="primary" busy={form.busy} refusal={refusal} refusalIn="note">
              Review
            </Button>
            <Button onClick={onClose ?? (() => address.go(home))}>Cancel</Button>
          </ButtonRow>
        </Form>
      </Sheet>
      <Review preview={preview} busy={add.isPending} refusal={refusal} onDelegate={() => add.mutate({ account, body })} />
    </Layout>
  );
}

const Stacked = ({ children }: { children: ReactNode }) => <Stack gap={16}>{children}</Stack>;

/** Fields of a network, as whois shows it. */
function NetworkFields({ form }: { form: DelegationValues }) {
  return (
    <>
      <Grid columns={2}>
        <Field label="Kind" {...form.field('type')}>
          <Select
            value={form.values.type}
            onChange={event => form.set({ type: event.target.value === 'allocated' ? 'allocated' : 'assigned' })}
            options={[
              { value: 'assigned', label: 'Assigned: for the member’s own network' },
              { value: 'allocated', label: 'Allocated: the member can assign parts of it' },
            ]}
          />
        </Field>
        <Field label="Netname" help="Letters, digits, - and _, such as NORTHNET-1" {...form.field('netname')}>
          <TextInput mono {...form.input('netname')} />
        </Field>
      </Grid>
      <Field
        label="Description"
        optional
        help="Shown in whois as descr. Defaults to the organisation’s name"
        {...form.field('description')}
      >
        <TextInput {...form.input('description')} />
      </Field>
      <Grid columns={2}>
        <Field label="Economy" optional help="Two letters, such as AU. Default: the organisation’s" {...form.field('economy')}>
          <TextInput {...form.input('economy')} maxLength={2} />
        </Field>
        <Field label="Admin contact" optional help="Handle. Default: that of the network around it" {...form.field('adminC')}>
          <TextInput mono {...form.input('adminC')} />
        </Field>
        <Field label="Technical contact" optional {...form.field('techC')}>
          <TextInput mono {...form.input('techC')} />
        </Field>
      </Grid>
    </>
  );
}

function Delegated({ delegated, onClose }: { delegated: CallAnswer<typeof nirDelegations.addNirDelegation>; onClose?: () => void }) {
  const address = useAddress();
  return (
    <Sheet title={<span className="mono">{delegated.resource}</span>} meta={<output>Delegated to {delegated.subaccount}</output>}>
      <Stack gap={12}>
        <p className="small">
          {delegated.kind === 'asn' ? 'It’s recorded with the sub-account.' : 'Whois and RDAP show it within seconds.'} {delegated.entity}{' '}
          holds it now.
        </p>
        <ButtonRow>
          <LinkButton variant="primary" href={recordAddress(delegated.resource)}>
            Show {delegated.resource}
          </LinkButton>
          <Button onClick={() => address.go(`${home}?subaccount=${delegated.subaccountId}`)}>All of {delegated.subaccount}</Button>
          {onClose && <Button onClick={onClose}>Close</Button>}
        </ButtonRow>
      </Stack>
    </Sheet>
  );
}

function useDelegationForm({
  given,
  kind,
  block,
  look,
}: {
  given: ChosenSubaccount | null;
  kind: Kind;
  block: string;
  look: ReturnType<typeof useChange<typeof nirDelegations.previewNirDelegation>>;
}) {
  const { accountName: account } = useAccount();
  return useForm(
    nirDelegations.previewNirDelegation.body,
    {
      subaccountId: given?.subaccountId ?? '',
      resource: block,
      type: 'assigned' as 'assigned' | 'allocated',
      netname: '',
      description: '',
      economy: '',
      adminC: '',
      techC: '',
      reuse: false,
    },
    {
      name: 'delegation',
      change: look,
      toBody: ({ adminC, techC, ...values }) => ({ ...values, ...(adminC.trim() && { adminC }), ...(techC.trim() && { techC }) }),
      check: ({ netname }) => (kind !== 'asn' && netname.trim() === '' ? { netname: 'Enter a netname, such as NORTHNET-1' } : {}),
      send: body => look.mutate({ account, body }),
    },
  );
}

/** Compares the reviewed values with the form's, regardless of key order. */
function sameValues(asked: string, body: object): boolean {
  const flat = (value: object) =>
    JSON.stringify(
      Object.entries(value)
        .filter(([, each]) => each !== undefined && each !== '')
        .toSorted(([a], [b]) => a.localeCompare(b)),
    );
  const trimmed = Object.fromEntries(Object.entries(body).map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value]));
  const upper = (value: object): object =>
    Object.fromEntries(
      Object.entries(value).map(([name, each]) => [
        name,
        ['netname', 'economy'].includes(name) ? String(each).toUpperCase() : (each as unknown),
      ]),
    );
  return flat(upper(JSON.parse(asked) as object)) === flat(upper(trimmed));
}

function Review({
  preview,
  busy,
  refusal,
  onDelegate,
}: {
  preview: Preview | null;
  busy: boolean;
  refusal: Parameters<typeof Button>[0]['refusal'];
  onDelegate: () => void;
}) {
  if (!preview)
    return (
      <Panel title="Review">
        <p className="small muted">Press Review to see exactly what will be written. Nothing is written before you confirm it.</p>
      </Panel>
    );
  const { resource, size, kind, netname, type, delegation, around, whois, subaccount } = preview;
  return (
    <Panel
      title="Review"
      pending
      footer={
        <Button variant="commit" busy={busy} refusal={refusal ?? null} onClick={onDelegate}>
          Delegate {resource}
        </Button>
      }
    >
      <output className="vh">Review of {resource} is ready</output>
      <Stack gap={12}>
        <KeyValueList
          items={[
            { key: 'Sub-account', value: <Mono>{subaccount}</Mono> },
            { key: 'Resource', value: <Mono nowrap={false}>{resource}</Mono> },
            { key: 'Size', value: amountWords(kind, BigInt(size)) },
            ...(kind === 'asn'
              ? []
              : [
                  { key: 'Netname', value: <Mono>{netname}</Mono> },
                  { key: 'Kind', value: type === 'allocated' ? 'Allocation' : 'Assignment' },
                ]),
            { key: 'Out of', value: <Mono nowrap={false}>{delegation}</Mono> },
            ...(around ? [{ key: 'Inside', value: <Mono nowrap={false}>{around}</Mono> }] : []),
          ]}
        />
        <Suspense fallback={<SkeletonLines lines={3} label="Loading the checks" />}>
          <DelegationChecks preview={preview} />
        </Suspense>
        {whois && (
          <>
            <h3>{whois.before === null ? 'New whois object' : 'Whois object after the change'}</h3>
            <pre className={styles.object}>{whois.after}</pre>
          </>
        )}
      </Stack>
    </Panel>
  );
}

const DelegationChecks = later(() => import('./DelegationChecks.tsx'), 'DelegationChecks');

const BlockPicker = later(() => import('../../shell/BlockPicker.tsx'), 'BlockPicker');

/** The pool as a map: what sub-accounts hold, what is free, and the block of this delegation, which a press chooses. */
function PoolMap({ chosen, onChoose }: { chosen: string; onChoose: (resource: string) => void }) {
  const { accountName: account } = useAccount();
  const { answer } = useSteadyAnswer(resources.listDelegations, { account, query: { kind: 'ipv4', limit: 100 } });
  const largest = useIpv4Limit() ?? 0;
  const holdings = answer.rows
    .filter(({ type, status }) => type === 'allocated' && status === 'active')
    .map(({ resource }) => ({ resource, against: null }));
  if (holdings.length === 0) return null;
  return (
    <BlockPicker
      holdings={holdings}
      moves="New delegation"
      aside={{ chosen: 'new delegation', kept: null }}
      largest={largest}
      chosen={chosen === '' ? [] : [chosen]}
      smallest={24}
      single
      onChange={(blocks: string[]) => onChoose(blocks.at(-1) ?? '')}
    />
  );
}

function FreeSpace({ kind, chosen, onChoose }: { kind: Kind; chosen: string; onChoose: (resource: string) => void }) {
  const { accountName: account } = useAccount();
  const [length, setLength] = useState(usualLengths[kind]);
  const { answer, stale } = useSteadyAnswer(nirDelegations.listNirFreeSpace, { account, query: { kind, length } });
  const limit = useIpv4Limit() ?? 0;
  const lengths = kind === 'ipv4' ? [19, 20, 21, 22, 23, 24].filter(each => each >= limit) : [28, 29, 32, 36, 40, 44, 48];
  return (
    <Stack gap={8} aria-busy={stale}>
      {kind !== 'asn' && (
        <Field label="Free blocks of">
          <Select
            value={String(length)}
            onChange={event => setLength(Number(event.target.value))}
            options={lengths.map(each => ({ value: String(each), label: `/${each}` }))}
          />
        </Field>
      )}
      {answer.length === 0 ? (
        <p className="small muted">{kind === 'asn' ? 'You have no free AS number.' : `Your pool has no free /${length}.`}</p>
      ) : (
        <>
          <p className="small quiet">Free in your pool. First: {answer[0]!.why.toLowerCase()}.</p>
          <ButtonRow>
            {answer.slice(0, 4).map(({ resource }) => (
              <Button key={resource} size="s" aria-pressed={chosen === resource} onClick={() => onChoose(resource)}>
                <span className="mono">{resource}</span>
              </Button>
            ))}
          </ButtonRow>
        </>
      )}
    </Stack>
  );
}
