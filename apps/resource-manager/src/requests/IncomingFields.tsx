import type { RequestForm } from '@portal/contract/requests/request-form';
import { Field, TextInput } from '@portal/ui';
import type { WhoisNames } from '@portal/contract/requests/requests';
import { NeedFields, RegistryField, TypedResources } from './ResourceFields.tsx';
import { WhoisNameFields } from './WhoisNameFields.tsx';

/** Fields of a transfer from another registry: where it is held, what it is, the need for it, and its names in whois. */
export function IncomingFields({
  whois,
  ...props
}: {
  whois: WhoisNames | null;
  form: RequestForm;
  errors: Partial<Record<string, string>>;
  onChange: (part: Partial<RequestForm>) => void;
}) {
  const { form, errors, onChange } = props;
  return (
    <>
      <RegistryField {...props} />
      <Field
        label="Holder there"
        help="The organisation in the record of the other registry."
        id="request-legalName"
        error={errors.legalName}
      >
        <TextInput maxLength={255} value={form.legalName} onChange={event => onChange({ legalName: event.target.value })} />
      </Field>
      <TypedResources label="Resources" help="One per line, such as 203.0.112.0/24 or AS64510. At least a /24 of IPv4." {...props} />
      <NeedFields aside="The amount is set aside when you send it, and used when the transfer completes." {...props} />
      {whois && (
        <WhoisNameFields
          whois={whois}
          asNumbers={form.resources.length > 0 && form.resources.every(text => /^as/i.test(text))}
          {...props}
        />
      )}
    </>
  );
}
