import { Page, read, useAccount, useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { Form as FormFrame, FormProblems } from '@portal/app-kit/form/Form';
import { joinedChanges, useForm } from '@portal/app-kit/form/use-form';
import { whoisIrts } from '@portal/contract/whois/irts';
import { whois, type WhoisOutcome } from '@portal/contract/whois/whois';
import { formatObject, parseObject, valueOf } from '@portal/rpsl';
import { Breadcrumb, Button, Disclosure, EmptyState, Field, FormColumn, LinkButton, Select, Sheet, SkeletonRows, Stack } from '@portal/ui';
import { useState } from 'react';
import { FirstRead } from '../../shell/FirstRead.tsx';
import { type AttributeValues, fieldsOfClasses, missingFields, objectOfFields } from '../editor/class-fields.ts';
import { ClassFieldInput } from '../editor/ClassFieldInput.tsx';
import { findingsOf } from '../text/object-text.ts';
import { RefusedOutcomes } from '../tasks/RefusedOutcomes.tsx';
import { useAttachIrt } from './attach-irt.ts';
import { IrtTarget, type Target } from './IrtTarget.tsx';
import { hrefOfIrts } from './irt-words.ts';

/** /resources/add-irt: creates an irt and references it in resources. */
export default function AddIrtPage() {
  const account = useAccount().accountName;
  return (
    <Page
      title="Add an IRT object"
      sub="Receives abuse reports for your networks. Its mailboxes must be validated twice a year."
      breadcrumb={<Breadcrumb items={[{ label: 'IRT objects', href: hrefOfIrts }, { label: 'New IRT' }]} />}
    >
      <FirstRead
        reads={[read(whois.listIrts, { account }), read(whois.listMaintainers, { account })]}
        fallback={<SkeletonRows rows={6} label="Loading maintainers" />}
      >
        <NewIrt />
      </FirstRead>
    </Page>
  );
}

function NewIrt() {
  const { accountName: account } = useAccount();
  const { rows } = useAnswer(whois.listMaintainers, { account });
  const own = rows.filter(({ mine, exists }) => mine && exists).map(({ maintainer }) => maintainer);
  const [first] = own;
  if (first === undefined)
    return (
      <Sheet aria-label="New IRT">
        <EmptyState title="An IRT needs a maintainer" action={<LinkButton href="/resources/maintainer">Maintainers</LinkButton>}>
          You don’t have a maintainer in {account} you can use.
        </EmptyState>
      </Sheet>
    );
  return <Form maintainers={own} first={first} />;
}

/** Known without asking: who may change it, how, and where it is kept. */
const known = new Set(['auth', 'mnt-by', 'source']);
const fields = fieldsOfClasses(['irt'], name => known.has(name));

/** Returns what is wrong with the fields: what is missing, and otherwise what the checks of the class find. */
function problemsOf(values: AttributeValues, text: string): Record<string, string> {
  const problems = missingFields('irt', fields, values);
  for (const { severity, attribute, message } of findingsOf(text, 'create'))
    if (severity === 'error' && attribute !== null && fields.some(({ name }) => name === attribute)) problems[attribute] ??= message;
  return problems;
}

function Form({ maintainers, first }: { maintainers: readonly string[]; first: string }) {
  const { form, made, target, setTarget, setMaintainer, refused, failed } = useNewIrt(first);
  const refusal = useRefusal(whoisIrts.attachIrt);
  const shown = (isOptional: boolean) =>
    fields
      .filter(field => field.isOptional === isOptional)
      .map(field => (
        <ClassFieldInput
          key={field.name}
          field={field}
          form={form}
          readOnly={made !== null && field.name === 'irt'}
          {...(field.name === 'irt' && { help: `${field.help} It can’t be changed later.` })}
        />
      ));
  return (
    <FormFrame form={form} label="New IRT" bare>
      <Sheet
        aria-label="New IRT"
        footer={
          <Button type="submit" variant="commit" busy={form.busy} refusal={refusal}>
            {made === null ? 'Create IRT' : `Set ${made} on resources`}
          </Button>
        }
      >
        <FormColumn>
          <FormProblems form={form} />
          <RefusedOutcomes outcomes={refused} title="This can’t be created yet:" />
          <RefusedOutcomes outcomes={failed} title={`${made ?? 'IRT'} created, but these resources keep their current IRT:`} />
          {shown(false)}
          <Field label="Maintainer (mnt-by)" {...form.field('mnt-by')}>
            <Select
              {...form.input('mnt-by')}
              onChange={({ target: { value } }) => {
                form.set({ 'mnt-by': value });
                setMaintainer(value);
              }}
              options={maintainers}
            />
          </Field>
          <Disclosure
            summary="Optional attributes"
            {...(fields.some(({ name, isOptional }) => isOptional && form.field(name).error !== undefined) && { open: true })}
          >
            <Stack gap={16}>{shown(true)}</Stack>
          </Disclosure>
          <IrtTarget target={target} onChange={setTarget} field={form.field('target')} mayBeNone />
        </FormColumn>
      </Sheet>
    </FormFrame>
  );
}

/**
 * A new IRT: created first, then set on its resources. If only the second step fails, the form is sent again for that step.
 * @param first the maintainer that is proposed
 */
function useNewIrt(first: string) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const { rows: irts, withoutTotal } = useAnswer(whois.listIrts, { account });
  const [target, setTarget] = useState<Target>({ to: withoutTotal > 0 ? 'without' : 'none', keys: new Set() });
  const [refused, setRefused] = useState<{ outcomes: readonly WhoisOutcome[]; text: string }>({ outcomes: [], text: '' });
  const [made, setMade] = useState<string | null>(null);
  const [initial] = useState<AttributeValues>(() => {
    const irt = `IRT-${first.replace(/^MAINT-/, '')}`;
    const empty = Object.fromEntries(fields.map(({ name }) => [name, '']));
    return { ...empty, irt: irts.some(each => each.irt === irt) ? '' : irt, 'mnt-by': first };
  });
  const [maintainer, setMaintainer] = useState(first);
  // Its source is that of the maintainer.
  const { text: ofMaintainer } = useAnswer(whois.getObject, { account, query: { class: 'mntner', key: maintainer } });
  const { attach, change: attaching, failed } = useAttachIrt();
  const create = useChange(whois.submitUpdates, {
    refresh: [whois.listIrts, whois.listObjects, whois.complete, whois.getObject],
    showsErrors: true,
    onDone: ({ outcomes }, { body }) => {
      const [outcome] = outcomes;
      if (outcome?.state !== 'ok') return setRefused({ outcomes, text: body.updates[0]!.text });
      notify({ text: `${outcome.shown} created. We e-mail codes to its mailboxes within minutes.` });
      setMade(outcome.shown);
      attach(outcome.shown, target);
    },
  });
  const textOf = (values: AttributeValues): string => {
    const source = parseObject(ofMaintainer).object;
    return formatObject(objectOfFields('irt', { ...values, auth: 'PORTAL', source: (source && valueOf(source, 'source')) ?? '' }));
  };
  const form = useForm(whois.submitUpdates.body, initial, {
    name: 'irt',
    also: ['target'],
    toBody: values => ({ updates: [{ operation: 'create', text: textOf(values) }] }),
    check: values => ({
      ...problemsOf(values, textOf(values)),
      ...(target.to === 'chosen' && target.keys.size === 0 && { target: 'Choose at least one resource' }),
    }),
    found: values =>
      refused.text === textOf(values)
        ? refused.outcomes.flatMap(({ problems }) =>
            problems.flatMap(({ severity, attribute, message }) =>
              severity === 'error' && attribute !== null && attribute in values ? [{ field: attribute, message }] : [],
            ),
          )
        : [],
    change: joinedChanges(create, attaching),
    send(body) {
      setRefused({ outcomes: [], text: '' });
      if (made !== null) attach(made, target);
      else create.mutate({ account, body });
    },
  });
  return {
    form,
    /** The IRT, once it is created. */
    made,
    target,
    setTarget,
    setMaintainer,
    /** Outcomes of the creation, if it was refused. */
    refused: refused.outcomes,
    /** Outcomes of resources on which it couldn't be set. */
    failed,
  };
}
