import { type ContactType, contactTypes as allContactTypes } from '@portal/contract';
import { Checkbox, FieldGroup } from '@portal/ui';
import { typeMeanings, typeWords } from './contact-words.ts';

/** The contact types of a person, to choose; `only` restricts the choice. */
export function ContactTypesField({
  id,
  legend = 'Contact types',
  value,
  onChange,
  only = allContactTypes,
  refused = {},
  error,
}: {
  /** Id of the first box, for the error summary. */
  id: string;
  legend?: string;
  value: readonly ContactType[];
  onChange: (types: readonly ContactType[]) => void;
  only?: readonly ContactType[];
  /** Types that this person can't grant or revoke, and why. */
  refused?: Partial<Record<ContactType, string | undefined>>;
  error?: string | undefined;
}) {
  return (
    <FieldGroup legend={legend} error={error}>
      {only.map((type, index) => (
        <Checkbox
          key={type}
          id={index === 0 ? id : undefined}
          checked={value.includes(type)}
          disabled={refused[type] !== undefined}
          aria-invalid={error ? true : undefined}
          help={refused[type] ?? typeMeanings[type]}
          onChange={event => onChange(event.target.checked ? [...value, type] : value.filter(each => each !== type))}
        >
          {typeWords[type]}
        </Checkbox>
      ))}
    </FieldGroup>
  );
}
