import { type AnyEndpoint, useAccount, useAnswer, useChange, useRefusal } from '@portal/app-kit';
import { Form, FormProblems } from '@portal/app-kit/form/Form';
import { joinedChanges, useForm } from '@portal/app-kit/form/use-form';
import { later } from '@portal/app-kit/page/later';
import { type ReverseZone, reverseDns, type ZoneOutcome } from '@portal/contract/reverse-dns/reverse-dns';
import { type WaitingDelegation, waitDays } from '@portal/contract/reverse-dns/waiting';
import { whois } from '@portal/contract/whois/whois';
import {
  Banner,
  Button,
  ButtonRow,
  Disclosure,
  Field,
  FormColumn,
  LinkButton,
  Select,
  Sheet,
  SkeletonLines,
  Stack,
  Steps,
  TextArea,
  TextInput,
} from '@portal/ui';
import { type ReactNode, Suspense, useState } from 'react';
import { changedReads } from '../text/changed-reads.ts';
import type { Outcome } from '../tasks/outcome-words.ts';
import { Outcomes } from '../tasks/Outcomes.tsx';
import { WaitForServers } from './WaitingDelegations.tsx';
import { type ZoneContactFields, ZoneContacts } from './ZoneContacts.tsx';

/** Shown once a preview found nothing wrong. */
const PreFlight = later(() => import('./PreFlight.tsx'), 'PreFlight');

const reads = [...changedReads, reverseDns.getSummary, reverseDns.listZones, reverseDns.planZones];
const linesOf = (text: string): string[] =>
  text
    .split(/[\n,;]+/)
    .map(line => line.trim())
    .filter(Boolean);

type Fields = { servers: string; keys: string; adminC: string; techC: string; zoneC: string; mntBy: string };

type Zones = {
  zones: readonly string[];
  /** The zone that is edited. */
  from: ReverseZone | null;
};

/**
 * The values of a delegation, previewed before they are sent: `found` is the preview of the present values, `ready` says that nothing is against
 * sending them. @param mntBy the maintainer of new zones
 */
function useZoneForm({
  zones,
  from,
  mntBy: maintainer,
  alsoRefresh,
  onDone,
}: Zones & { mntBy: string; alsoRefresh: readonly AnyEndpoint[]; onDone: (zones: readonly ZoneOutcome[]) => void }) {
  const { accountName: account } = useAccount();
  const initial: Fields = {
    servers: from?.servers.join('\n') ?? '',
    keys: from?.ds.map(each => `${from.zone}. DS ${each}`).join('\n') ?? '',
    adminC: '',
    techC: '',
    zoneC: '',
    mntBy: maintainer,
  };
  const bodyOf = ({ servers, keys, adminC, techC, zoneC, mntBy }: Fields) => ({
    zones: [...zones],
    servers: linesOf(servers),
    // The keys of several zones aren't shown here: empty means unchanged.
    ...((from || keys.trim() !== '') && { keys }),
    adminC: adminC.trim(),
    techC: techC.trim() || adminC.trim(),
    zoneC: zoneC.trim() || adminC.trim(),
    mntBy,
    // Another person's change is not overwritten.
    ...(from?.version && { version: from.version }),
  });
  const [previewed, setPreviewed] = useState('');
  const refusal = useRefusal(reverseDns.submitZones);
  const preview = useChange(reverseDns.previewZones, { showsErrors: true });
  const submit = useChange(reverseDns.submitZones, {
    refresh: [...reads, ...alsoRefresh],
    showsErrors: true,
    onDone: answer => onDone(answer.zones),
  });
  /** The preview of these values for these zones; an edit ends it. */
  const previewOf = (values: Fields) =>
    previewed === JSON.stringify(bodyOf(values)) && !preview.isPending ? (preview.data ?? null) : null;
  const isReady = (values: Fields): boolean => {
    const seen = previewOf(values);
    return seen !== null && seen.problems.length === 0 && seen.zones.some(({ outcome }) => outcome.state === 'ok');
  };
  const problemOf = (values: Fields, field: string): string | undefined =>
    previewOf(values)
      ?.problems.filter(each => each.field === field)
      .map(({ message }) => message)
      .join(' ') || undefined;
  const form = useForm(reverseDns.submitZones.body, initial, {
    name: 'zone',
    toBody: bodyOf,
    found: values =>
      Object.keys(values).flatMap(field => {
        const message = problemOf(values, field);
        // An empty one is the administrative contact, whose field says it.
        const isItsOwn = (field !== 'techC' && field !== 'zoneC') || values[field].trim() !== '';
        return message === undefined || !isItsOwn ? [] : [{ field, message }];
      }),
    change: joinedChanges(submit, preview),
    send(body, values) {
      if (isReady(values)) return submit.mutate({ account, body });
      submit.reset();
      setPreviewed(JSON.stringify(bodyOf(values)));
      preview.mutate({ account, body });
    },
  });
  const { values } = form;
  return {
    form,
    found: previewOf(values),
    ready: isReady(values),
    body: bodyOf(values),
    zonesProblem: problemOf(values, 'zones'),
    refusal,
  };
}

/**
 * The form of a delegation: name servers, keys, contacts, review, result. All `zones` are delegated the same way; with `from`, fields start with a
 * zone's values, and empty contacts stay unchanged.
 */
export function ZoneForm({
  zones,
  from,
  choice,
  usual = null,
  alsoRefresh = [],
}: {
  zones: readonly string[];
  from: ReverseZone | null;
  choice?: ReactNode;
  /** Contacts of most other zones, offered for new ones. */
  usual?: ZoneContactFields | null;
  /** Reads of the page around it. */
  alsoRefresh?: readonly AnyEndpoint[];
}) {
  const { accountName: account } = useAccount();
  const { rows: maintainers } = useAnswer(whois.listMaintainers, { account });
  const [done, setDone] = useState<readonly ZoneOutcome[] | null>(null);
  const [waiting, setWaiting] = useState<WaitingDelegation | null>(null);
  const { form, found, ready, body, zonesProblem, refusal } = useZoneForm({
    zones,
    from,
    mntBy: maintainers[0]?.maintainer ?? '',
    alsoRefresh,
    onDone: setDone,
  });
  const { values: fields, set } = form;
  if (done)
    return (
      <Stack gap={16}>
        <Steps {...stepsOf(from, 3)} />
        <Result zones={done} />
      </Stack>
    );
  if (waiting)
    return (
      <Stack gap={16}>
        <Steps {...stepsOf(from, 2)} />
        <Kept waiting={waiting} />
      </Stack>
    );
  const whyNot = refusal ?? (zones.length === 0 ? { reason: 'Choose at least one zone' } : null);
  return (
    <Form form={form} label="Delegation" bare>
      <Stack gap={16}>
        <Steps {...stepsOf(from, found ? 2 : 1)} />
        {choice}
        <ServersAndKeys zones={zones} field={form.field} input={form.input} />
        <Sheet title="Contacts" meta={from ? <span>Empty fields keep today’s contacts</span> : undefined}>
          <FormColumn>
            <ZoneContacts fields={fields} onChange={set} optional={Boolean(from)} field={form.field} usual={usual} />
            {!from && (
              <Field label="Maintainer" {...form.field('mntBy')}>
                <Select {...form.input('mntBy')} options={maintainers.map(({ maintainer }) => maintainer)} />
              </Field>
            )}
          </FormColumn>
        </Sheet>
        {ready && found && (
          <Suspense fallback={<SkeletonLines lines={3} label="Loading the checks" />}>
            <PreFlight
              zones={found.zones.map(({ zone, ds }) => ({ zone, ds }))}
              servers={body.servers}
              minutes={found.checkMinutes}
              whenNotReady={<WaitForServers body={body} onDone={setWaiting} />}
            />
          </Suspense>
        )}
        <FormProblems form={form} />
        <Review found={found} problem={zonesProblem}>
          {ready && found ? (
            <Button type="submit" variant="commit" busy={form.busy} refusal={whyNot}>
              {from ? 'Save' : 'Delegate'} {found.zones.filter(({ outcome }) => outcome.state === 'ok').length}{' '}
              {zones.length === 1 ? 'zone' : 'zones'}
            </Button>
          ) : (
            <Button type="submit" variant="primary" busy={form.busy} refusal={whyNot}>
              Preview
            </Button>
          )}
        </Review>
      </Stack>
    </Form>
  );
}

type ZoneFields = ReturnType<typeof useZoneForm>['form'];

/** Name servers and keys that all zones get. */
const ServersAndKeys = ({ zones, field, input }: Pick<Zones, 'zones'> & Pick<ZoneFields, 'field' | 'input'>) => (
  <Sheet title="Name servers and keys" meta={<span>{zones.length === 1 ? zones[0] : `${zones.length} zones`}</span>}>
    <FormColumn>
      <Field
        label="Name servers"
        help="One a line, 2 to 12. The zone must be loaded on all of them. A server inside the zone is followed by its address, such as ns1.2.0.192.in-addr.arpa 192.0.2.1."
        {...field('servers')}
      >
        <TextArea mono rows={4} {...input('servers')} placeholder={'ns1.example.net\nns2.example.net'} />
      </Field>
      <Field
        label="DNSSEC: DS or DNSKEY records"
        optional
        help="Paste what your signer prints. From a DNSKEY (flags 257) each zone gets its own SHA-256 DS. Empty: the delegation is not signed."
        {...field('keys')}
      >
        <TextArea mono rows={4} {...input('keys')} placeholder="257 3 13 mdsswUyr3DPW132mOi8V9xESWE8jTo0d…" />
      </Field>
    </FormColumn>
  </Sheet>
);

/** The preview of what is written, or what is against it. @param children the act */
const Review = ({
  found,
  problem,
  children,
}: {
  found: ReturnType<typeof useZoneForm>['found'];
  problem: string | undefined;
  children: ReactNode;
}) => (
  <Sheet
    title="Review"
    meta={found ? undefined : <span>Exactly what will be written</span>}
    flush
    footer={<ButtonRow>{children}</ButtonRow>}
  >
    {problem !== undefined && (
      <div style={{ padding: 16 }}>
        <Banner kind="error" title="Some zones can’t be delegated.">
          {problem}
        </Banner>
      </div>
    )}
    {found && found.zones.length > 0 ? (
      <Outcomes outcomes={found.zones.map(outcomeOf)} isDryRun label="Preview of the zones" />
    ) : (
      <p className="small quiet" style={{ padding: 16 }}>
        {found ? 'Fix the fields above, then preview again.' : 'Preview to see each domain object before anything is written.'}
      </p>
    )}
  </Sheet>
);

const steps = ['Zones', 'Servers, keys, contacts', 'Review', 'Published'];

/** A zone that is edited was not chosen in a step. */
const stepsOf = (from: ReverseZone | null, current: number): { steps: string[]; current: number } =>
  from ? { steps: steps.slice(1), current: current - 1 } : { steps, current };

const outcomeOf = ({ zone, outcome }: ZoneOutcome): Outcome => ({ ...outcome, id: zone, text: outcome.after ?? '', line: null });

/** Says that a delegation waits for its servers. */
function Kept({ waiting: { zones } }: { waiting: WaitingDelegation }) {
  return (
    <Sheet
      title="Waiting for the name servers"
      footer={
        <ButtonRow>
          <LinkButton variant="primary" href="/resources/ReverseDNSSummary">
            View what is waiting
          </LinkButton>
        </ButtonRow>
      }
    >
      <output>
        We check the servers of {zones.length === 1 ? zones[0] : `${zones.length} zones`} every hour for {waitDays} days, delegate when they
        are ready, and e-mail you the result. Nothing has changed yet.
      </output>
    </Sheet>
  );
}

function Result({ zones }: { zones: readonly ZoneOutcome[] }) {
  const failed = zones.filter(({ outcome }) => outcome.state === 'failed').length;
  return (
    <Sheet
      title="Result"
      meta={<output>{failed === 0 ? 'All saved. Publication is shown for each zone.' : `${failed} of ${zones.length} refused`}</output>}
      flush
      footer={
        <ButtonRow>
          <LinkButton variant="primary" href="/resources/ReverseDNSSummary">
            Back to all zones
          </LinkButton>
          {zones[0] && <LinkButton href={`/technical/rdnscheck?zone=${zones[0].zone}`}>Check {zones[0].zone}</LinkButton>}
        </ButtonRow>
      }
    >
      <Outcomes outcomes={zones.map(outcomeOf)} isDryRun={false} label="Result for each zone" />
    </Sheet>
  );
}

/** Removes a delegation, after showing the effect. */
export function RemoveZone({ zone, alsoRefresh = [] }: { zone: string; alsoRefresh?: readonly AnyEndpoint[] }) {
  const { accountName: account } = useAccount();
  const [sure, setSure] = useState(false);
  const [done, setDone] = useState<readonly ZoneOutcome[] | null>(null);
  const refusal = useRefusal(reverseDns.submitZones);
  const submit = useChange(reverseDns.submitZones, {
    refresh: [...reads, ...alsoRefresh],
    showsErrors: true,
    onDone: answer => setDone(answer.zones),
  });
  const form = useForm(
    reverseDns.submitZones.body,
    { reason: '' },
    {
      name: 'removal',
      toBody: ({ reason }) => ({ zones: [zone], operation: 'remove', reason }),
      change: submit,
      send: body => (sure ? submit.mutate({ account, body }) : setSure(true)),
    },
  );
  if (done) return <Result zones={done} />;
  return (
    <Disclosure summary="Remove this delegation">
      <Form form={form} label={`Remove ${zone}`}>
        <p>
          The name servers and DS records of {zone} leave the parent zone within a minute, and the addresses lose their names as resolvers
          forget them. You can restore the object from its history.
        </p>
        <Field label="Reason" optional {...form.field('reason')}>
          <TextInput {...form.input('reason')} />
        </Field>
        <ButtonRow>
          {sure ? (
            <Button type="submit" variant="danger" busy={form.busy} refusal={refusal}>
              Remove {zone}
            </Button>
          ) : (
            <Button type="submit" refusal={refusal}>
              Remove…
            </Button>
          )}
        </ButtonRow>
      </Form>
    </Disclosure>
  );
}
