import { Field, TextInput } from '@portal/ui';

/** A file of the person that is read here, and not sent. */
export function FileText({
  label,
  help,
  accept,
  error,
  onRead,
}: {
  label: string;
  help: string;
  accept: string;
  error?: string | null;
  onRead: (text: string | null) => void;
}) {
  return (
    <Field label={label} help={help} error={error}>
      <TextInput
        type="file"
        accept={accept}
        onChange={event => {
          const file = event.target.files?.[0];
          onRead(null);
          void file?.text().then(onRead);
        }}
      />
    </Field>
  );
}
