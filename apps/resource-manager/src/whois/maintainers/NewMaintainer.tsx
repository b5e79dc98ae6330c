import { useAccount, useAddress, useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { whois, type WhoisOutcome } from '@portal/contract/whois/whois';
import { Button, Field, FormColumn, Segmented, Sheet, TextArea, TextInput } from '@portal/ui';
import { ComboBox } from '@portal/ui/picker/ComboBox';
import { useState } from 'react';
import { useCompletions } from '../editor/completions.ts';
import { changedReads } from '../editor/changed-reads.ts';
import { ProblemList } from '../editor/ProblemList.tsx';

/** Returns the values of a multi-line field; addresses of mailboxes may share a line. */
const linesOf = (text: string, mark: string | RegExp = /[\n,;]/): string[] =>
  text
    .split(mark)
    .map(line => line.trim())
    .filter(line => line !== '');

const empty = { maintainer: '', descr: '', updTo: '', mntNfy: '', adminC: '', name: '', address: '', country: '', phone: '', email: '' };
type Form = typeof empty;

/** Returns the first missing field; the server checks the rest. */
function missing(form: Form, withPerson: boolean): string | null {
  const wanted: [keyof Form, string][] = [
    ['maintainer', 'Enter the maintainer, such as MAINT-AU-EXAMPLE'],
    ['descr', 'Enter a description'],
    ['updTo', 'Enter at least one e-mail address for upd-to'],
    ...(withPerson
      ? ([
          ['name', 'Enter the person’s name'],
          ['address', 'Enter a postal address of the person'],
          ['country', 'Enter a two-letter country code, such as AU'],
          ['phone', 'Enter a phone number, such as +61 2 5550 0100'],
          ['email', 'Enter the person’s e-mail address'],
        ] satisfies [keyof Form, string][])
      : ([['adminC', 'Enter a handle for admin-c, such as EN1-EX']] satisfies [keyof Form, string][])),
  ];
  return wanted.find(([name]) => form[name].trim() === '')?.[1] ?? null;
}

/** Makes a maintainer, the first one together with its person, since each names the other. */
export function NewMaintainer() {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const address = useAddress();
  const { rows } = useAnswer(whois.listMaintainers, { account });
  const [form, setForm] = useState<Form>({ ...empty, maintainer: rows.length === 0 ? `MAINT-${account}` : '' });
  const [contact, setContact] = useState<'person' | 'contact'>(rows.length === 0 ? 'person' : 'contact');
  const [refused, setRefused] = useState<readonly WhoisOutcome[]>([]);
  const refusal = useRefusal(whois.createMaintainer);
  const contacts = useCompletions(contact === 'contact' ? 'contact' : null, form.adminC.trim());
  const create = useChange(whois.createMaintainer, {
    refresh: [...changedReads, whois.listIrts],
    onDone: ({ outcomes }, { body }) => {
      if (outcomes.some(({ state }) => state !== 'ok')) return setRefused(outcomes);
      notify({ text: `${body.maintainer} created and linked to ${account}.` });
      address.go('/resources/maintainer');
    },
  });
  const withPerson = contact === 'person';
  const field = (name: keyof Form) => ({
    value: form[name],
    onChange: (event: { target: { value: string } }) => setForm(old => ({ ...old, [name]: event.target.value })),
  });
  const lacks = missing(form, withPerson);
  const send = () => {
    setRefused([]);
    const { maintainer, descr, adminC, name, country, phone, email } = form;
    create.mutate({
      account,
      body: {
        maintainer: maintainer.trim().toUpperCase(),
        descr,
        updTo: linesOf(form.updTo),
        mntNfy: linesOf(form.mntNfy),
        ...(withPerson ? { person: { name, address: linesOf(form.address, '\n'), country, phone, email } } : { adminC }),
      },
    });
  };
  const problems = refused.flatMap(each => each.problems);
  return (
    <Sheet
      aria-label="New maintainer"
      footer={
        <Button variant="commit" busy={create.isPending} refusal={refusal ?? (lacks === null ? null : { reason: lacks })} onClick={send}>
          {withPerson ? 'Create person and maintainer' : 'Create maintainer'}
        </Button>
      }
    >
      <FormColumn>
        {problems.length > 0 && (
          <div role="alert">
            <p className="small strong">This can’t be created yet:</p>
            <ProblemList findings={problems} label="Problems" />
          </div>
        )}
        <Field label="Name" help="Such as MAINT-AU-EXAMPLE. It can’t be changed later.">
          <TextInput mono spellCheck={false} autoComplete="off" maxLength={80} {...field('maintainer')} />
        </Field>
        <Field label="Description" help="For example, the team it belongs to.">
          <TextInput maxLength={200} {...field('descr')} />
        </Field>
        <Field
          label="Notify of refused changes (upd-to)"
          help="E-mail addresses, one per line. Codes to link the maintainer are also sent here."
        >
          <TextArea mono rows={2} spellCheck={false} {...field('updTo')} />
        </Field>
        <Field label="Notify of changes (mnt-nfy)" optional help="E-mail addresses, one per line.">
          <TextArea mono rows={2} spellCheck={false} {...field('mntNfy')} />
        </Field>
        <Segmented
          label="Contact of the maintainer"
          options={[
            { value: 'contact', label: 'An existing contact' },
            { value: 'person', label: 'A new person' },
          ]}
          value={contact}
          onChange={setContact}
        />
        {withPerson ? (
          <>
            <p className="small muted">
              A person and a maintainer need each other, so both are created together. The registry assigns the handle.
            </p>
            <Field label="Person’s name">
              <TextInput maxLength={100} {...field('name')} />
            </Field>
            <Field label="Postal address" help="Full postal address.">
              <TextArea rows={3} {...field('address')} />
            </Field>
            <Field label="Country" help="Two letters such as AU (ISO 3166).">
              <TextInput mono maxLength={2} {...field('country')} />
            </Field>
            <Field label="Phone" help="Such as +61 2 5550 0100.">
              <TextInput type="tel" maxLength={30} {...field('phone')} />
            </Field>
            <Field label="Person’s e-mail" help="It is public in whois.">
              <TextInput type="email" maxLength={200} {...field('email')} />
            </Field>
          </>
        ) : (
          <ComboBox
            label="Contact (admin-c)"
            mono
            searched
            value={form.adminC}
            items={contacts}
            help="Handle of a person or role."
            onChange={adminC => setForm(old => ({ ...old, adminC }))}
          />
        )}
        <p className="small muted">
          Authentication is through this portal, for the users you choose. Passwords aren’t supported. You can add a PGP key to the object
          later.
        </p>
      </FormColumn>
    </Sheet>
  );
}
