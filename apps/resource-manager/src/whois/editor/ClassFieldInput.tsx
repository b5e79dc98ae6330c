import type { Form } from '@portal/app-kit/form/use-form';
import { Field, TextArea, TextInput } from '@portal/ui';
import { ComboBox } from '@portal/ui/picker/ComboBox';
import { completionKind } from '../text/object-text.ts';
import type { AttributeValues, ClassField } from './class-fields.ts';
import { useCompletions } from './completions.ts';

type Props = {
  field: ClassField;
  form: Pick<Form<AttributeValues>, 'field' | 'input' | 'values' | 'set'>;
  /** Sentence in place of the attribute's own. */
  help?: string;
  readOnly?: boolean;
};

/** The field of an attribute: suggestions for what names another object, several lines for what may be there often. */
export function ClassFieldInput({ field, form, help = field.help, readOnly = false }: Props) {
  const { name, label, isOptional, hasLines, isProse } = field;
  const kind = completionKind(name);
  if (kind !== null) return <NamedObject {...{ field, form, help, kind }} />;
  const common = { mono: !isProse, spellCheck: isProse, readOnly, ...form.input(name) };
  return (
    <Field label={label} help={help} optional={isOptional} {...form.field(name)}>
      {hasLines ? <TextArea rows={isProse ? 3 : 2} {...common} /> : <TextInput {...common} />}
    </Field>
  );
}

function NamedObject({ field, form, help, kind }: Props & { kind: NonNullable<ReturnType<typeof completionKind>> }) {
  const { name, label, isOptional } = field;
  const value = form.values[name] ?? '';
  const items = useCompletions(kind, value.trim());
  return (
    <ComboBox
      {...form.field(name)}
      label={label}
      mono
      searched
      value={value}
      items={items}
      optional={isOptional}
      help={help}
      onChange={next => form.set({ [name]: next })}
    />
  );
}
