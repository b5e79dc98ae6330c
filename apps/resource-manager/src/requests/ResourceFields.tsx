import { planMonths, type RequestForm, regionalRegistries } from '@portal/contract/requests/request-form';
import { Checkbox, Field, Select, TextArea } from '@portal/ui';
import { useState } from 'react';
import { listedLines } from './listed-lines.ts';
import { PlanTable } from './PlanTable.tsx';

type Props = {
  form: RequestForm;
  errors: Partial<Record<string, string>>;
  onChange: (part: Partial<RequestForm>) => void;
};

/** Resources as they are typed, one per line; what is chosen elsewhere replaces them. */
export function TypedResources({ label, help, form, errors, onChange }: Props & { label: string; help: string }) {
  const [typed, setTyped] = useState(form.resources.join('\n'));
  const value = listedLines(typed).join('\n') === form.resources.join('\n') ? typed : form.resources.join('\n');
  return (
    <Field label={label} help={help} id="request-resources" error={errors.resources}>
      <TextArea
        rows={3}
        mono
        spellCheck={false}
        value={value}
        onChange={event => {
          setTyped(event.target.value);
          onChange({ resources: listedLines(event.target.value) });
        }}
      />
    </Field>
  );
}

/** The regional registry on the other side of a transfer. */
export function RegistryField({ help, form, errors, onChange }: Props & { help?: string }) {
  return (
    <Field label="Other registry" help={help} id="request-otherRegistry" error={errors.otherRegistry ?? errors.recipient}>
      <Select
        value={form.otherRegistry}
        options={[{ value: '', label: 'Choose' }, ...regionalRegistries.map(value => ({ value, label: value }))]}
        onChange={event => onChange({ otherRegistry: event.target.value })}
      />
    </Field>
  );
}

/** The need of a recipient: its pre-approval, or a plan for 24 months. @param aside when the amount is set aside */
export function NeedFields({ aside, form, errors, onChange }: Props & { aside: string }) {
  return (
    <>
      <Checkbox checked={form.usePreApproval} onChange={event => onChange({ usePreApproval: event.target.checked })} help={aside}>
        Use our pre-approval
      </Checkbox>
      {!form.usePreApproval && (
        <>
          <PlanTable plan={form.plan} months={planMonths['pre-approval']} error={errors.plan} onChange={plan => onChange({ plan })} />
          <Field label="The network" help="How the addresses are used, in a few sentences." id="request-network" error={errors.network}>
            <TextArea rows={4} maxLength={4000} value={form.network} onChange={event => onChange({ network: event.target.value })} />
          </Field>
        </>
      )}
    </>
  );
}
