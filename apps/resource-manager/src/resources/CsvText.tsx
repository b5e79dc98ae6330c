import { Field, TextArea } from '@portal/ui';
import { FileField } from '@portal/ui/picker/FileField';

/** Lines to import: from a file, which replaces the current content, or pasted. */
export function CsvText(props: {
  /** Name of the lines: Rows. */
  label: string;
  help: string;
  example: string;
  rows: number;
  /** Id and problem of the lines in a form. */
  field?: { id: string; error: string | undefined };
  value: string;
  onChange: (text: string) => void;
}) {
  const { label, help, example, rows, field, value, onChange } = props;
  return (
    <>
      <FileField
        label="CSV file"
        optional
        help={`A file replaces the ${label.toLowerCase()} below.`}
        accept=".csv,text/csv,text/plain"
        most={1}
        files={[]}
        onChoose={([file]) => void file?.text().then(onChange)}
        onRemove={() => undefined}
      />
      <Field label={label} help={help} {...field}>
        <TextArea
          mono
          rows={rows}
          spellCheck={false}
          placeholder={example}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      </Field>
    </>
  );
}
