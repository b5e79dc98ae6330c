import { Page, read, useAccount, useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { whoisIrts } from '@portal/contract/whois/irts';
import { whois, type WhoisOutcome } from '@portal/contract/whois/whois';
import { formatObject, objectOf, parseObject, valueOf } from '@portal/rpsl';
import {
  Breadcrumb,
  Button,
  Disclosure,
  EmptyState,
  Field,
  FormColumn,
  LinkButton,
  Select,
  Sheet,
  SkeletonRows,
  Stack,
  TextArea,
  TextInput,
} from '@portal/ui';
import { ComboBox } from '@portal/ui/picker/ComboBox';
import { useState } from 'react';
import { FirstRead } from '../../shell/FirstRead.tsx';
import { useAttachIrt } from './attach-irt.ts';
import { useCompletions } from '../editor/completions.ts';
import { IrtTarget, type Target } from './IrtTarget.tsx';
import { hrefOfIrts } from './irt-words.ts';
import { RefusedOutcomes } from '../tasks/RefusedOutcomes.tsx';

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

const empty = { irt: '', abuse: '', email: '', address: '', phone: '', adminC: '', techC: '', remarks: '', irtNfy: '', encryption: '' };
type Fields = typeof empty;
const wanted: readonly [keyof Fields, string][] = [
  ['irt', 'Enter a name, such as IRT-EXAMPLE-AU'],
  ['abuse', 'Enter an e-mail address for abuse reports'],
  ['email', 'Enter the team’s e-mail address'],
  ['address', 'Enter a postal address'],
  ['adminC', 'Enter a handle for admin-c, such as EN1-EX'],
  ['techC', 'Enter a handle for tech-c, such as EN1-EX'],
];

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '');

function Form({ maintainers, first }: { maintainers: readonly string[]; first: string }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const { rows: irts, withoutTotal } = useAnswer(whois.listIrts, { account });
  const [fields, setFields] = useState<Fields>(() => {
    const irt = `IRT-${first.replace(/^MAINT-/, '')}`;
    return { ...empty, irt: irts.some(each => each.irt === irt) ? '' : irt };
  });
  const [maintainer, setMaintainer] = useState(first);
  const [target, setTarget] = useState<Target>({ to: withoutTotal > 0 ? 'without' : 'none', keys: new Set() });
  const [refused, setRefused] = useState<readonly WhoisOutcome[]>([]);
  const [made, setMade] = useState<string | null>(null);
  // Its source is that of the maintainer.
  const { text: ofMaintainer } = useAnswer(whois.getObject, { account, query: { class: 'mntner', key: maintainer } });
  const refusal = useRefusal(whoisIrts.attachIrt);
  const { attach, busy, failed } = useAttachIrt();
  const create = useChange(whois.submitUpdates, {
    refresh: [whois.listIrts, whois.listObjects, whois.complete, whois.getObject],
    onDone: ({ outcomes }) => {
      const [outcome] = outcomes;
      if (outcome?.state !== 'ok') return setRefused(outcomes);
      notify({ text: `${outcome.shown} created. We e-mail codes to its mailboxes within minutes.` });
      setMade(outcome.shown);
      attach(outcome.shown, target);
    },
  });
  const admins = useCompletions('contact', fields.adminC.trim());
  const techs = useCompletions('contact', fields.techC.trim());
  const lacks = wanted.find(([name]) => fields[name].trim() === '')?.[1] ?? null;
  const field = (name: keyof Fields) => ({
    value: fields[name],
    onChange: (event: { target: { value: string } }) => setFields(old => ({ ...old, [name]: event.target.value })),
  });
  const many = (attribute: string, text: string) => linesOf(text).map(line => [attribute, line] as const);
  const send = () => {
    setRefused([]);
    if (made !== null) return attach(made, target);
    const source = parseObject(ofMaintainer).object;
    const text = formatObject(
      objectOf([
        ['irt', fields.irt.trim().toUpperCase()],
        ...many('address', fields.address),
        ...many('phone', fields.phone),
        ...many('e-mail', fields.email),
        ...many('abuse-mailbox', fields.abuse),
        ...many('encryption', fields.encryption),
        ['admin-c', fields.adminC.trim()],
        ['tech-c', fields.techC.trim()],
        ['auth', 'PORTAL'],
        ...many('remarks', fields.remarks),
        ...many('irt-nfy', fields.irtNfy),
        ['mnt-by', maintainer],
        ['source', (source && valueOf(source, 'source')) ?? ''],
      ]),
    );
    create.mutate({ account, body: { updates: [{ operation: 'create', text }] } });
  };
  return (
    <Sheet
      aria-label="New IRT"
      footer={
        <Button
          variant="commit"
          busy={create.isPending || busy}
          refusal={
            refusal ??
            (lacks !== null
              ? { reason: lacks }
              : target.to === 'chosen' && target.keys.size === 0
                ? { reason: 'Choose at least one resource' }
                : null)
          }
          onClick={send}
        >
          {made === null ? 'Create IRT' : `Set ${made} on resources`}
        </Button>
      }
    >
      <FormColumn>
        <RefusedOutcomes outcomes={refused} title="This can’t be created yet:" />
        <RefusedOutcomes outcomes={failed} title={`${made ?? 'IRT'} created, but these resources keep their current IRT:`} />
        <Field label="Name" help="Starts with IRT-. It can’t be changed later.">
          <TextInput mono spellCheck={false} autoComplete="off" maxLength={80} readOnly={made !== null} {...field('irt')} />
        </Field>
        <Field label="Abuse mailbox (abuse-mailbox)" help="One address per line. Use a team’s address, not a person’s.">
          <TextArea mono rows={2} spellCheck={false} {...field('abuse')} />
        </Field>
        <Field label="E-mail" help="Team addresses, one per line.">
          <TextArea mono rows={2} spellCheck={false} {...field('email')} />
        </Field>
        <Field label="Postal address">
          <TextArea rows={3} {...field('address')} />
        </Field>
        <Field label="Phone" optional help="Such as +61 2 5550 0100, one per line.">
          <TextArea mono rows={1} {...field('phone')} />
        </Field>
        <ComboBox
          label="Administrative contact (admin-c)"
          mono
          searched
          value={fields.adminC}
          items={admins}
          onChange={adminC => setFields(old => ({ ...old, adminC }))}
        />
        <ComboBox
          label="Technical contact (tech-c)"
          mono
          searched
          value={fields.techC}
          items={techs}
          onChange={techC => setFields(old => ({ ...old, techC }))}
        />
        <Field label="Maintainer (mnt-by)">
          <Select value={maintainer} onChange={event => setMaintainer(event.target.value)} options={maintainers} />
        </Field>
        <Disclosure summary="Remarks, notices and keys">
          <Stack gap={16}>
            <Field label="Remarks" optional>
              <TextArea rows={2} {...field('remarks')} />
            </Field>
            <Field label="Notify when an object uses this IRT (irt-nfy)" optional help="E-mail addresses, one per line.">
              <TextArea mono rows={1} spellCheck={false} {...field('irtNfy')} />
            </Field>
            <Field label="Encrypt reports with (encryption)" optional help="A key-cert, such as PGPKEY-1A2B3C4D.">
              <TextInput mono spellCheck={false} {...field('encryption')} />
            </Field>
          </Stack>
        </Disclosure>
        <IrtTarget target={target} onChange={setTarget} mayBeNone />
      </FormColumn>
    </Sheet>
  );
}
