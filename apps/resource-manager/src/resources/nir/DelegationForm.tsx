import type { CallAnswer } from '@portal/app-kit';
import { reading, useAccount, useAddress, useAnswer, useChange, useKit, useRefusal, useSteadyAnswer } from '@portal/app-kit';
import { later } from '@portal/app-kit/page/later';
import { Form, FormProblems } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { nirDelegations } from '@portal/contract/nir/delegations';
import { nirSubaccounts } from '@portal/contract/nir/subaccounts';
import { resources } from '@portal/contract/resources/resources';
import { recordAddress } from '@portal/contract/records/record-address';
import {
  Button,
  ButtonRow,
  Disclosure,
  Field,
  Grid,
  KeyValueList,
  LinkButton,
  Mono,
  Panel,
  Row,
  Segmented,
  Select,
  Sheet,
  SkeletonLines,
  Stack,
  TextInput,
} from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { ReuseTick } from '../../shell/ReuseTick.tsx';
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
  const { name, delegations } = useAnswer(nirSubaccounts.getSubaccount, { account, subaccountId });
  return <NewDelegation given={{ subaccountId, name, delegations }} {...around} />;
}

type DelegationValues = ReturnType<typeof useDelegationForm>;

/** The netname that is filled in: the name of the sub-account without its country, and the number of the delegation. */
const netnameFor = (chosen: ChosenSubaccount | null): string =>
  chosen ? `${chosen.name.replace(/-[A-Z]{2}$/, '').replace(/^[^A-Z]+/, '')}-${(chosen.delegations ?? 0) + 1}` : '';

function NewDelegation({ given, isNarrow = false, block = '', onClose }: Around & { given: ChosenSubaccount | null }) {
  const address = useAddress();
  const refusal = useRefusal(nirDelegations.addNirDelegation);
  const [kind, setKind] = useState<Kind>(block.includes(':') ? 'ipv6' : 'ipv4');
  const [proposed, setProposed] = useState(netnameFor(given));
  const add = useChange(nirDelegations.addNirDelegation, { refresh: delegationReads, showsErrors: true });
  const form = useDelegationForm({ given, kind, block, add });
  const { values } = form;
  const { preview, failure, busy } = usePreview(values, kind);
  const rests = [failure, add.error].some(error => error?.code === 'ASSIGNMENT_RESTS');
  const choose = (resource: string) => form.set({ resource });
  if (add.data)
    return (
      <Delegated
        delegated={add.data}
        {...(onClose && { onClose })}
        onAnother={() => {
          add.reset();
          form.reset();
          choose('');
          setProposed(netnameFor(given));
        }}
      />
    );
  const Layout = isNarrow ? Stacked : SidePanelLayout;
  return (
    <Form form={form} label="New delegation" bare>
      <Layout>
        <Sheet aria-label="New delegation">
          <Stack gap={16}>
            <FormProblems form={form} />
            <SubaccountField
              label="Sub-account"
              chosen={given}
              onChoose={chosen => {
                const netname = netnameFor(chosen);
                setProposed(netname);
                form.set({
                  subaccountId: chosen?.subaccountId ?? '',
                  ...((values.netname === '' || values.netname === proposed) && { netname }),
                });
              }}
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
                choose('');
              }}
            />
            <BlockFields key={kind} kind={kind} form={form} onChoose={choose} />
            {(rests || values.reuse) && <ReuseTick checked={values.reuse} onChange={reuse => form.set({ reuse })} />}
            {kind !== 'asn' && <NetworkFields form={form} />}
          </Stack>
        </Sheet>
        <Review preview={preview} failure={failure} busy={busy}>
          <ButtonRow>
            <Button type="submit" variant="commit" busy={add.isPending} refusal={refusal} refusalIn="note">
              Delegate {values.resource.trim()}
            </Button>
            <Button onClick={onClose ?? (() => address.go(home))}>Cancel</Button>
          </ButtonRow>
        </Review>
      </Layout>
    </Form>
  );
}

/** The checks of a delegation, made while its form is filled in: as soon as it has a sub-account, a block and a name, and after each pause in typing. */
function usePreview(
  values: DelegationValues['values'],
  kind: Kind,
): { preview: Preview | null; failure: { code: string; message: string } | null; busy: boolean } {
  const { accountName: account } = useAccount();
  const { call } = useKit();
  const body = bodyOf(values);
  const isComplete = values.subaccountId !== '' && values.resource.trim() !== '' && (kind === 'asn' || values.netname.trim() !== '');
  const now = JSON.stringify(body);
  const [asked, setAsked] = useState(isComplete ? now : '');
  useEffect(() => {
    const timer = setTimeout(() => setAsked(isComplete ? now : ''), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [isComplete, now]);
  const { data, error, isFetching } = useQuery({
    ...reading(call, nirDelegations.previewNirDelegation, { account, body: asked === '' ? body : (JSON.parse(asked) as typeof body) }),
    enabled: asked !== '',
    staleTime: 0,
    gcTime: 0,
  });
  const isCurrent = isComplete && asked === now && !isFetching;
  return {
    preview: isCurrent && !error ? (data ?? null) : null,
    failure: isCurrent && error ? { code: error.code, message: error.message } : null,
    busy: isComplete && !isCurrent,
  };
}
/** How long typing rests before the checks are made. */
const PAUSE_MS = 400;

const Stacked = ({ children }: { children: ReactNode }) => <Stack gap={16}>{children}</Stack>;

/** Fields of a network, as whois shows it: its name, and those that have a usual value. */
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
      <Disclosure
        summary="More fields"
        open={['description', 'economy', 'adminC', 'techC'].some(name => form.field(name as 'economy').error)}
      >
        <Stack gap={16}>
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
        </Stack>
      </Disclosure>
    </>
  );
}

function Delegated({
  delegated,
  onClose,
  onAnother,
}: {
  delegated: CallAnswer<typeof nirDelegations.addNirDelegation>;
  onClose?: () => void;
  onAnother: () => void;
}) {
  const address = useAddress();
  return (
    <Sheet title={<span className="mono">{delegated.resource}</span>} meta={<output>Delegated to {delegated.subaccount}</output>}>
      <Stack gap={16}>
        <p className="small">{delegated.entity} holds it now.</p>
        {delegated.kind !== 'asn' && (
          <Suspense fallback={<SkeletonLines lines={3} label="Checking publication" />}>
            <DelegationReceipt objectClass={delegated.kind === 'ipv4' ? 'inetnum' : 'inet6num'} objectKey={delegated.resource} />
          </Suspense>
        )}
        <ButtonRow>
          <LinkButton variant="primary" href={recordAddress(delegated.resource)}>
            Show {delegated.resource}
          </LinkButton>
          <Button onClick={onAnother}>Delegate another</Button>
          <Button onClick={() => address.go(`${home}?subaccount=${delegated.subaccountId}`)}>All of {delegated.subaccount}</Button>
          {onClose && <Button onClick={onClose}>Close</Button>}
        </ButtonRow>
      </Stack>
    </Sheet>
  );
}

/** Publication of the new whois object: where it has arrived. */
const DelegationReceipt = later(() => import('./DelegationReceipt.tsx'), 'DelegationReceipt');

function useDelegationForm({
  given,
  kind,
  block,
  add,
}: {
  given: ChosenSubaccount | null;
  kind: Kind;
  block: string;
  add: ReturnType<typeof useChange<typeof nirDelegations.addNirDelegation>>;
}) {
  const { accountName: account } = useAccount();
  return useForm(
    nirDelegations.addNirDelegation.body,
    {
      subaccountId: given?.subaccountId ?? '',
      resource: block,
      type: 'assigned' as 'assigned' | 'allocated',
      netname: netnameFor(given),
      description: '',
      economy: '',
      adminC: '',
      techC: '',
      reuse: false,
    },
    {
      name: 'delegation',
      change: add,
      toBody: bodyOf,
      check: ({ netname }) => (kind !== 'asn' && netname.trim() === '' ? { netname: 'Enter a netname, such as NORTHNET-1' } : {}),
      send: body => add.mutate({ account, body }),
    },
  );
}

/** The body of what is typed: contacts that are left out are those of the network around it. */
function bodyOf<Values extends { adminC: string; techC: string }>({ adminC, techC, ...values }: Values) {
  return { ...values, ...(adminC.trim() !== '' && { adminC }), ...(techC.trim() !== '' && { techC }) };
}

/** Shows what would be written, checked, with the buttons that do it below. */
function Review({
  preview,
  failure,
  busy,
  children,
}: {
  preview: Preview | null;
  failure: { message: string } | null;
  busy: boolean;
  children: ReactNode;
}) {
  return (
    <Panel title="Checks" pending={preview !== null} footer={children}>
      <output className="vh">{preview ? `Checks of ${preview.resource} are done` : ''}</output>
      {preview ? (
        <Stack gap={12}>
          <Reviewed preview={preview} />
        </Stack>
      ) : failure ? (
        <p className="small strong" role="alert">
          {failure.message}
        </p>
      ) : busy ? (
        <SkeletonLines lines={4} label="Checking" />
      ) : (
        <p className="small muted">
          Choose a sub-account and a block. What would be written is checked here, and nothing is written before you delegate.
        </p>
      )}
    </Panel>
  );
}

function Reviewed({ preview }: { preview: Preview }) {
  const { resource, size, kind, netname, type, delegation, around, whois, subaccount } = preview;
  return (
    <>
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
        <Disclosure summary={whois.before === null ? 'New whois object' : 'Whois object after the change'}>
          <pre className={styles.object}>{whois.after}</pre>
        </Disclosure>
      )}
    </>
  );
}

const DelegationChecks = later(() => import('./DelegationChecks.tsx'), 'DelegationChecks');

const BlockPicker = later(() => import('../../shell/BlockPicker.tsx'), 'BlockPicker');

/** The pool as a map: what sub-accounts hold, what is free, and the block of this delegation, which a press chooses. */
function PoolMap({ length, chosen, onChoose }: { length: number; chosen: string; onChoose: (resource: string) => void }) {
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
      given={length}
      single
      onChange={(blocks: string[]) => onChoose(blocks.at(-1) ?? '')}
    />
  );
}

/** The block, one way or another: of a size, typed, one of the next free ones, or on the map of the pool. */
function BlockFields({ kind, form, onChoose }: { kind: Kind; form: DelegationValues; onChoose: (resource: string) => void }) {
  const { accountName: account } = useAccount();
  const [size, setSize] = useState(usualLengths[kind]);
  const limit = useIpv4Limit() ?? 0;
  const lengths = kind === 'ipv4' ? [19, 20, 21, 22, 23, 24].filter(each => each >= limit) : [28, 29, 32, 36, 40, 44, 48];
  const chosen = form.values.resource;
  // A block that is typed has its size.
  const typed = Number(/\/(\d+)$/.exec(chosen.trim())?.[1]);
  const length = lengths.includes(typed) ? typed : size;
  const { answer, stale } = useSteadyAnswer(nirDelegations.listNirFreeSpace, { account, query: { kind, length } });
  return (
    <>
      <Grid columns={2}>
        {kind !== 'asn' && (
          <Field label="Size">
            <Select
              value={String(length)}
              onChange={event => {
                setSize(Number(event.target.value));
                onChoose('');
              }}
              options={lengths.map(each => ({ value: String(each), label: `/${each}` }))}
            />
          </Field>
        )}
        <Field
          label={kind === 'asn' ? 'AS number' : 'Block'}
          help={kind === 'asn' ? 'Inside one of your AS number delegations' : 'Inside one of your allocations'}
          {...form.field('resource')}
        >
          <TextInput mono {...form.input('resource')} />
        </Field>
      </Grid>
      <Row gap={8} wrap aria-busy={stale}>
        {answer.length === 0 ? (
          <span className="small muted">{kind === 'asn' ? 'You have no free AS number.' : `Your pool has no free /${length}.`}</span>
        ) : (
          <>
            <span className="small quiet">Next free</span>
            {answer.slice(0, 4).map(({ resource, why }) => (
              <Button key={resource} size="s" aria-pressed={chosen === resource} title={why} onClick={() => onChoose(resource)}>
                <span className="mono">{resource}</span>
              </Button>
            ))}
          </>
        )}
      </Row>
      {kind === 'ipv4' && (
        <Suspense fallback={<SkeletonLines lines={8} label="Loading the map of your pool" />}>
          <PoolMap length={length} chosen={chosen} onChoose={onChoose} />
        </Suspense>
      )}
    </>
  );
}
