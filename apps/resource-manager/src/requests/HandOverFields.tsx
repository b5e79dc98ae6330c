import { useAccount, useAnswer } from '@portal/app-kit';
import type { RequestForm } from '@portal/contract/requests/request-form';
import { requests } from '@portal/contract/requests/requests';
import { Banner, Checkbox, Field, Select, TextArea, TextInput } from '@portal/ui';
import { useState } from 'react';
import styles from './Requests.module.css';

type Props = {
  kind: 'transfer' | 'acquisition' | 'return';
  form: RequestForm;
  errors: Partial<Record<string, string>>;
  onChange: (part: Partial<RequestForm>) => void;
};

const lines = (text: string): string[] =>
  text
    .split(/[\n,;]/)
    .map(line => line.trim())
    .filter(line => line !== '');

/** Fields of a transfer, a merger or a return: the resources, the recipient and the terms. */
export function HandOverFields({ kind, form, errors, onChange }: Props) {
  const { accountName: account } = useAccount();
  const { rows, why } = useAnswer(requests.listMovable, { account });
  const [typed, setTyped] = useState(form.resources.join('\n'));
  const text = (name: 'reason' | 'recipient' | 'otherRegistry' | 'legalName' | 'registrationNumber' | 'startsOn') => ({
    value: form[name],
    onChange: (event: { target: { value: string } }) => onChange({ [name]: event.target.value }),
  });
  const at = (name: string) => ({ id: `request-${name}`, error: errors[name] });
  const set = (resources: string[]) => {
    setTyped(resources.join('\n'));
    onChange({ resources });
  };
  const [toOther, setToOther] = useState(form.otherRegistry !== '');
  const shown = rows.filter(row => kind !== 'transfer' || row.kind !== 'ipv6');
  return (
    <>
      {why && <Banner kind="warning">{why}</Banner>}
      <fieldset className={styles.plan}>
        <legend className="strong">Your resources</legend>
        {shown.map(row => (
          <Checkbox
            key={row.resource}
            checked={form.resources.includes(row.resource)}
            disabled={row.why !== null && (kind !== 'return' || row.why.startsWith('A transfer'))}
            help={row.why ?? undefined}
            onChange={event =>
              set(event.target.checked ? [...form.resources, row.resource] : form.resources.filter(each => each !== row.resource))
            }
          >
            <span className="mono">{row.resource}</span>
          </Checkbox>
        ))}
      </fieldset>
      <Field label="Or parts of them" help="One per line, such as 198.18.8.0/22. At least a /24 of IPv4." {...at('resources')}>
        <TextArea
          rows={3}
          mono
          spellCheck={false}
          value={typed}
          onChange={event => {
            setTyped(event.target.value);
            onChange({ resources: lines(event.target.value) });
          }}
        />
      </Field>
      {kind === 'transfer' && (
        <Field label="Destination">
          <Select
            value={toOther ? 'other' : 'account'}
            options={[
              { value: 'account', label: 'An account of this registry' },
              { value: 'other', label: 'Another registry' },
            ]}
            onChange={event => {
              setToOther(event.target.value === 'other');
              onChange({ recipient: '', otherRegistry: '' });
            }}
          />
        </Field>
      )}
      {kind !== 'return' &&
        (toOther ? (
          <Field label="Other registry" help="Such as RIPE NCC. It judges the recipient by its own policy." {...at('recipient')}>
            <TextInput maxLength={60} {...text('otherRegistry')} />
          </Field>
        ) : (
          <Field label="Recipient’s account" help="Exactly as the recipient names it, such as OTHER-SG." {...at('recipient')}>
            <TextInput mono maxLength={60} autoComplete="off" {...text('recipient')} />
          </Field>
        ))}
      {kind === 'acquisition' && (
        <>
          <Field label="What happened" {...at('occasion')}>
            <Select
              value={form.occasion}
              options={[
                { value: '', label: 'Choose' },
                { value: 'merger', label: 'Merger' },
                { value: 'acquisition', label: 'Acquisition' },
                { value: 'reorganisation', label: 'Reorganisation' },
              ]}
              onChange={event => onChange({ occasion: event.target.value as RequestForm['occasion'] })}
            />
          </Field>
          <Field label="Legal name of the organisation that receives" {...at('legalName')}>
            <TextInput maxLength={255} {...text('legalName')} />
          </Field>
          <Field label="Its registration number" optional {...at('registrationNumber')}>
            <TextInput maxLength={60} {...text('registrationNumber')} />
          </Field>
        </>
      )}
      {kind !== 'transfer' && (
        <Field label={kind === 'return' ? 'Not used any more from' : 'In effect from'} {...at('startsOn')}>
          <TextInput type="date" {...text('startsOn')} />
        </Field>
      )}
      {kind !== 'return' && !toOther && (
        <>
          <Checkbox
            checked={form.withRoas}
            onChange={event => onChange({ withRoas: event.target.checked })}
            help="The recipient gets the ROAs of the space in the same publication, so that announcements stay valid."
          >
            Hand over ROAs
          </Checkbox>
          <Checkbox
            checked={form.withRegistrations}
            onChange={event => onChange({ withRegistrations: event.target.checked })}
            help="Otherwise registrations and whois objects of the space are deleted on completion."
          >
            Hand over registrations and whois objects
          </Checkbox>
        </>
      )}
      <Field label="Reason" {...at('reason')}>
        <TextArea rows={3} maxLength={2000} {...text('reason')} />
      </Field>
    </>
  );
}
