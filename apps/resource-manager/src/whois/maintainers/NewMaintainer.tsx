import { useAccount, useAddress, useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { type WhoisOutcome, whois } from '@portal/contract/whois/whois';
import { Button, ButtonRow, Field, Segmented, Sheet, TextArea, TextInput } from '@portal/ui';
import { ComboBox } from '@portal/ui/picker/ComboBox';
import { useState } from 'react';
import { changedReads } from '../text/changed-reads.ts';
import { useCompletions } from '../editor/completions.ts';
import { ProblemList } from '../text/ProblemList.tsx';

/** Returns the values of a multi-line field; addresses of mailboxes may share a line. */
const linesOf = (text: string, mark: string | RegExp = /[\n,;]/): string[] =>
  text
    .split(mark)
    .map(line => line.trim())
    .filter(line => line !== '');

const empty = { maintainer: '', descr: '', updTo: '', mntNfy: '', adminC: '', name: '', address: '', country: '', phone: '', email: '' };

type MaintainerValues = ReturnType<typeof useMaintainerForm>['form'];

/** Creates a maintainer, the first one together with its person, since each references the other. */
export function NewMaintainer() {
  const { accountName: account } = useAccount();
  const { rows } = useAnswer(whois.listMaintainers, { account });
  const [contact, setContact] = useState<'person' | 'contact'>(rows.length === 0 ? 'person' : 'contact');
  const withPerson = contact === 'person';
  const { form, refused } = useMaintainerForm({ withPerson, isFirst: rows.length === 0 });
  const refusal = useRefusal(whois.createMaintainer);

  const { field, input } = form;
  const problems = refused.flatMap(each => each.problems);
  return (
    <Sheet aria-label="New maintainer">
      <Form form={form} label="New maintainer">
        {problems.length > 0 && (
          <div role="alert">
            <p className="small strong">This can’t be created yet:</p>
            <ProblemList findings={problems} label="Problems" />
          </div>
        )}
        <Field {...field('maintainer')} label="Name" help="Such as MAINT-AU-EXAMPLE. It can’t be changed later.">
          <TextInput mono spellCheck={false} {...input('maintainer')} />
        </Field>
        <Field {...field('descr')} label="Description" help="For example, the team it belongs to.">
          <TextInput {...input('descr')} />
        </Field>
        <Field
          {...field('updTo')}
          label="Notify of refused changes (upd-to)"
          help="E-mail addresses, one per line. Codes to link the maintainer are also sent here."
        >
          <TextArea mono rows={2} spellCheck={false} {...input('updTo')} />
        </Field>
        <Field {...field('mntNfy')} label="Notify of changes (mnt-nfy)" optional help="E-mail addresses, one per line.">
          <TextArea mono rows={2} spellCheck={false} {...input('mntNfy')} />
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
        <ContactFields withPerson={withPerson} form={form} />
        <p className="small muted">
          Authentication is through this portal, for the users you choose. Passwords and PGP signatures aren’t supported.
        </p>
        <ButtonRow>
          <Button type="submit" variant="commit" busy={form.busy} refusal={refusal}>
            {withPerson ? 'Create person and maintainer' : 'Create maintainer'}
          </Button>
        </ButtonRow>
      </Form>
    </Sheet>
  );
}

function ContactFields({ withPerson, form }: { withPerson: boolean; form: MaintainerValues }) {
  const contacts = useCompletions(withPerson ? null : 'contact', form.values.adminC.trim());
  const { field, input } = form;
  return withPerson ? (
    <>
      <p className="small muted">
        A person and a maintainer need each other, so both are created together. The registry assigns the handle.
      </p>
      <Field {...field('name')} label="Person’s name">
        <TextInput {...input('name')} maxLength={100} />
      </Field>
      <Field {...field('address')} label="Postal address" help="Full postal address.">
        <TextArea rows={3} {...input('address')} />
      </Field>
      <Field {...field('country')} label="Country" help="Two letters such as AU (ISO 3166).">
        <TextInput mono {...input('country')} maxLength={2} />
      </Field>
      <Field {...field('phone')} label="Phone" help="Such as +61 2 5550 0100.">
        <TextInput type="tel" {...input('phone')} maxLength={30} />
      </Field>
      <Field {...field('email')} label="Person’s e-mail" help="It is public in whois.">
        <TextInput type="email" {...input('email')} maxLength={200} />
      </Field>
    </>
  ) : (
    <ComboBox
      {...field('adminC')}
      label="Contact (admin-c)"
      mono
      searched
      value={form.values.adminC}
      items={contacts}
      help="Handle of a person or role."
      onChange={adminC => form.set({ adminC })}
    />
  );
}

function useMaintainerForm({ withPerson, isFirst }: { withPerson: boolean; isFirst: boolean }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const address = useAddress();
  const [refused, setRefused] = useState<readonly WhoisOutcome[]>([]);
  const create = useChange(whois.createMaintainer, {
    refresh: [...changedReads, whois.listIrts],
    showsErrors: true,
    onDone: ({ outcomes }, { body }) => {
      if (outcomes.some(({ state }) => state !== 'ok')) return setRefused(outcomes);
      notify({ text: `${body.maintainer} created and linked to ${account}.` });
      address.go('/resources/maintainer');
    },
  });
  const form = useForm(
    whois.createMaintainer.body,
    { ...empty, maintainer: isFirst ? `MAINT-${account}` : '' },
    {
      name: 'maintainer',
      toBody: ({ maintainer, descr, updTo, mntNfy, adminC, name, address: lines, country, phone, email }) => ({
        maintainer,
        descr,
        updTo: linesOf(updTo),
        mntNfy: linesOf(mntNfy),
        ...(withPerson ? { person: { name, address: linesOf(lines, '\n'), country, phone, email } } : { adminC }),
      }),
      fieldAt: place => place.replace(/^person\./, ''),
      check: ({ adminC, phone }) => ({
        ...(!withPerson && adminC.trim() === '' && { adminC: 'Enter a handle for admin-c, such as EN1-EX' }),
        ...(withPerson && phone.trim() === '' && { phone: 'Enter a phone number, such as +61 2 5550 0100' }),
      }),
      ifEmpty: {
        maintainer: 'Enter the maintainer, such as MAINT-AU-EXAMPLE',
        name: 'Enter the person’s name',
        address: 'Enter a postal address of the person',
        email: 'Enter the person’s e-mail address',
      },
      change: create,
      send: body => {
        setRefused([]);
        create.mutate({ account, body });
      },
    },
  );
  return { form, refused };
}
