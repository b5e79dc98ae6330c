import { reading, useAccount, useKit } from '@portal/app-kit';
import { whoisAttributeValues } from '@portal/contract/whois/attribute-values';
import { ComboBox, type ComboBoxItem } from '@portal/ui/picker/ComboBox';
import { useQuery } from '@tanstack/react-query';
import { useCompletions } from './completions.ts';
import { spelled } from './many-objects.ts';
import { completionKind } from '../text/object-text.ts';

type Props = {
  label: string;
  attribute: string;
  value: string;
  onChange: (value: string) => void;
  /** Source of the suggestions: values in the account's objects, or everything the registry knows of that kind. */
  from: 'own' | 'registry';
  optional?: boolean;
  /** Id and problem, in a form. */
  field?: { id: string; error: string | undefined };
};

/** The value of an attribute, with suggestions. */
export function ValueInput({ label, attribute, value, onChange, from, optional, field }: Props) {
  const own = useOwnValues(from === 'own' ? attribute : null);
  const known = useCompletions(from === 'registry' ? completionKind(attribute) : null, value);
  return (
    <ComboBox
      label={label}
      mono
      items={from === 'own' ? own : known}
      searched={from === 'registry'}
      value={value}
      onChange={onChange}
      {...(optional && { optional })}
      {...field}
    />
  );
}

/** Values of an attribute in the account's objects, with how many objects have each. */
function useOwnValues(attribute: string | null): ComboBoxItem[] {
  const { accountName: account } = useAccount();
  const { call } = useKit();
  const { data } = useQuery({
    ...reading(call, whoisAttributeValues.listAttributeValues, { account, query: { attribute: attribute ?? 'mnt-by' } }),
    enabled: attribute !== null,
  });
  if (attribute === null || !data) return [];
  return data.rows.map(({ value, objects }) => ({
    id: value.replaceAll(/\s/g, '-'),
    text: spelled(attribute, value),
    note: `in ${objects} ${objects === 1 ? 'object' : 'objects'}`,
  }));
}
