import type { RequestForm } from '@portal/contract/requests/request-form';
import type { WhoisNames } from '@portal/contract/requests/requests';
import type { WhoisNameField } from '@portal/contract/requests/whois-names';
import { Field, Link, Select, TextInput } from '@portal/ui';
import { useState } from 'react';
import styles from './Requests.module.css';

type Props = {
  /** Before the ids of the fields. */
  name?: string;
  whois: WhoisNames;
  form: RequestForm;
  /** Only AS numbers are requested: the name is an as-name. */
  asNumbers: boolean;
  errors: Partial<Record<string, string>>;
  /** Only the name is asked for: another part of the form has the contacts, the maintainer and the mailbox of all. */
  nameOnly?: boolean;
  onChange: (part: Partial<RequestForm>) => void;
};

/** How what is received will appear in whois: filled in with what the account has. Unchanged fields keep following the account. */
export function WhoisNameFields({
  name: formName = 'request',
  whois: { defaults, contacts, maintainers },
  form,
  asNumbers,
  errors,
  nameOnly = false,
  onChange,
}: Props) {
  const at = (name: WhoisNameField) => ({ id: `${formName}-${name}`, error: errors[name] });
  const words = (name: 'netname' | 'abuseMailbox') => ({
    name,
    given: form[name],
    usual: defaults[name],
    onChange: (value: string) => onChange({ [name]: value }),
  });
  const choice = (name: 'adminContact' | 'techContact' | 'maintainer', from: readonly string[], none: string) => ({
    value: form[name] || defaults[name],
    options: [
      ...(defaults[name] === '' ? [{ value: '', label: none }] : []),
      ...[...new Set([defaults[name], ...from, form[name]])].filter(Boolean).map(value => ({ value, label: value })),
    ],
    onChange: (event: { target: { value: string } }) =>
      onChange({ [name]: event.target.value === defaults[name] ? '' : event.target.value }),
  });
  const nameField = (
    <Field label={asNumbers ? 'AS name' : 'Netname'} help="Letters, digits, - and _, such as NORTHNET-1." {...at('netname')}>
      <UsualText mono maxLength={80} {...words('netname')} />
    </Field>
  );
  if (nameOnly) return nameField;
  return (
    <fieldset className={styles.names}>
      <legend className="strong">How it will appear in whois</legend>
      <p className="small muted">Filled in from your account. Contacts, maintainer and mailbox can be changed in whois afterwards.</p>
      {nameField}
      <Field
        label="Admin contact"
        help={
          contacts.length === 0 ? (
            <>
              Your account has no contact in whois, so the registry’s is named.{' '}
              <Link href="/resources/whois-updates-js/all">Create one in whois</Link>
            </>
          ) : (
            'Who decides about the network.'
          )
        }
        {...at('adminContact')}
      >
        <Select {...choice('adminContact', contacts, 'The registry’s')} />
      </Field>
      <Field label="Technical contact" help="Who is written to about routing and reachability." {...at('techContact')}>
        <Select {...choice('techContact', contacts, 'The registry’s')} />
      </Field>
      <Field
        label="Maintainer"
        help={
          maintainers.length === 0 ? (
            <>
              Your account has no maintainer. With one you can write routes and networks.{' '}
              <Link href="/resources/maintainer">Create one in whois</Link>
            </>
          ) : (
            'Can write routes, networks and reverse zones in it.'
          )
        }
        {...at('maintainer')}
      >
        <Select {...choice('maintainer', maintainers, 'None yet')} />
      </Field>
      <Field
        label="Abuse mailbox"
        help={
          defaults.abuseMailbox === ''
            ? 'Your organisation has none yet. Reports about the network are sent here, and we ask twice a year whether they are read.'
            : 'Reports about the network are sent here. Everyone can see it.'
        }
        {...at('abuseMailbox')}
      >
        <UsualText type="email" maxLength={254} {...words('abuseMailbox')} />
      </Field>
    </fieldset>
  );
}

/** A text that starts with the account's value. While it is unchanged or empty, the form sends nothing. */
function UsualText({
  name,
  given,
  usual,
  onChange,
  ...input
}: {
  name: string;
  given: string;
  usual: string;
  onChange: (value: string) => void;
  mono?: boolean;
  type?: 'email';
  maxLength: number;
}) {
  const [typed, setTyped] = useState(given || usual);
  return (
    <TextInput
      {...input}
      name={name}
      autoComplete="off"
      spellCheck={false}
      placeholder={usual}
      value={typed}
      onChange={({ target: { value } }) => {
        setTyped(value);
        onChange(value.trim() === usual ? '' : value.trim());
      }}
    />
  );
}
