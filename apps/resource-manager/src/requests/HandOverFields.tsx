import { useAccount, useAnswer } from '@portal/app-kit';
import type { RequestForm } from '@portal/contract/requests/request-form';
import { type MovableResource, requests } from '@portal/contract/requests/requests';
import { Banner, Button, Checkbox, Disclosure, Field, formatCount, Grid, Select, Stack, TextArea, TextInput } from '@portal/ui';
import { DateInput } from '@portal/ui/form/DateInput';
import { useState } from 'react';
import { lockedWords, MAX } from './movable.ts';
import styles from './Requests.module.css';
import { RegistryField, TypedResources } from './ResourceFields.tsx';

type Props = {
  kind: 'transfer' | 'acquisition' | 'return';
  form: RequestForm;
  errors: Partial<Record<string, string>>;
  onChange: (part: Partial<RequestForm>) => void;
};

/** Returns the props of a text field, and the errors of a field. */
const fieldsOf = ({ form, errors, onChange }: Pick<Props, 'form' | 'errors' | 'onChange'>) => ({
  text: (name: 'reason' | 'recipient' | 'otherRegistry' | 'legalName' | 'registrationNumber' | 'startsOn') => ({
    value: form[name],
    onChange: (event: { target: { value: string } }) => onChange({ [name]: event.target.value }),
  }),
  at: (name: string) => ({ id: `request-${name}`, error: errors[name] }),
});

/** Who receives, and what goes along. */
export function RecipientFields({ kind, form, errors, onChange }: Props) {
  const { text, at } = fieldsOf({ form, errors, onChange });
  const [toOther, setToOther] = useState(form.otherRegistry !== '');
  const recipient = toOther ? (
    <RegistryField help="It judges the recipient by its own policy." form={form} errors={errors} onChange={onChange} />
  ) : (
    <Field label="Recipient’s account" help="The recipient’s account name, such as OTHER-SG." {...at('recipient')}>
      <TextInput mono maxLength={60} autoComplete="off" {...text('recipient')} />
    </Field>
  );
  return (
    <Grid columns={2}>
      <Stack gap={16}>
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
        {recipient}
        {kind === 'acquisition' && <MergerFields form={form} errors={errors} onChange={onChange} />}
      </Stack>
      <Stack gap={16}>
        {!toOther && <AlongWith form={form} onChange={onChange} />}
        {kind === 'acquisition' && (
          <Checkbox
            checked={form.closeAfter}
            onChange={event => onChange({ closeAfter: event.target.checked })}
            help="Everything the account holds has to move. Its contacts can no longer use it in the portal."
          >
            Close the account afterwards
          </Checkbox>
        )}
      </Stack>
    </Grid>
  );
}

/** When and why. */
export function ReasonFields({ kind, form, errors, onChange }: Props) {
  const { text, at } = fieldsOf({ form, errors, onChange });
  return (
    <>
      {kind !== 'transfer' && (
        <Field label={kind === 'return' ? 'Not used any more from' : 'In effect from'} {...at('startsOn')}>
          <DateInput {...text('startsOn')} />
        </Field>
      )}
      <Field label="Reason" {...at('reason')}>
        <TextArea rows={3} maxLength={2000} {...text('reason')} />
      </Field>
    </>
  );
}

function AlongWith({ form, onChange }: Pick<Props, 'form' | 'onChange'>) {
  return (
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
  );
}

function MergerFields({ form, errors, onChange }: Pick<Props, 'form' | 'errors' | 'onChange'>) {
  const { text, at } = fieldsOf({ form, errors, onChange });
  return (
    <>
      <Field label="Occasion" {...at('occasion')}>
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
  );
}

/**
 * Resources of the account that can be handed over, and what is chosen of them as text. @param smallest prefix length of the smallest block @param onlyOthers IPv4 prefixes are chosen on a map above,
 * so that only others are listed, on demand
 */
export function OwnResources({ kind, form, errors, smallest, onlyOthers, onChange }: Props & { smallest: number; onlyOthers: boolean }) {
  const { accountName: account } = useAccount();
  const { rows: all, why } = useAnswer(requests.listMovable, { account });
  const rows = onlyOthers ? all.filter(({ kind: family, resource }) => family !== 'ipv4' || !resource.includes('/')) : all;
  const set = (resources: string[]) => onChange({ resources });
  const against = (row: MovableResource): string | null => row.against[kind] ?? lockedWords(row);
  const choosable = rows.filter(row => against(row) === null);
  const isListed = (resource: string): boolean => rows.some(row => row.resource === resource);
  const fields = (
    <Stack gap={16}>
      {why && <Banner kind="warning">{why}</Banner>}
      {rows.length > 0 && (
        <fieldset className={styles.plan}>
          <legend className="strong">{onlyOthers ? 'Your other resources' : 'Your resources'}</legend>
          {rows.slice(0, MAX).map(row => (
            <Checkbox
              key={row.resource}
              checked={form.resources.includes(row.resource)}
              disabled={against(row) !== null && !form.resources.includes(row.resource)}
              help={against(row) ?? undefined}
              onChange={event =>
                set(event.target.checked ? [...form.resources, row.resource] : form.resources.filter(each => each !== row.resource))
              }
            >
              <span className="mono">{row.resource}</span>
            </Checkbox>
          ))}
          {rows.length > MAX && (
            <p className="small quiet">
              The first {MAX} of {formatCount(rows.length)}. Enter others below.
            </p>
          )}
        </fieldset>
      )}
      {!onlyOthers && choosable.length > 1 && choosable.length <= 500 && (
        <div>
          <Button size="s" onClick={() => set(choosable.map(({ resource }) => resource))}>
            Choose all
          </Button>
        </div>
      )}
      <TypedResources
        label="Chosen resources"
        help={`One per line, such as 198.18.8.0/22. At least a /${smallest} of IPv4.`}
        form={form}
        errors={errors}
        onChange={onChange}
      />
    </Stack>
  );
  if (!onlyOthers) return fields;
  return (
    <Disclosure
      summary="Other resources, or as text"
      // What the map doesn't show is there, and what is wrong with it.
      open={errors.resources !== undefined || form.resources.some(isListed) || undefined}
    >
      {fields}
    </Disclosure>
  );
}
