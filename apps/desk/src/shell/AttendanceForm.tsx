import { type AnyEndpoint, useChange, useKit } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { conferences } from '@portal/contract/elections/conferences';
import { fileSize } from '@portal/contract/file-kinds';
import { Banner, Button } from '@portal/ui';
import { FileField } from '@portal/ui/picker/FileField';

type Chosen = { name: string; size: number; csv: string };

/** Imports the whole list of a conference from a file. People who would be removed are named first. */
export function AttendanceForm({
  conference,
  title,
  also = [],
  onClose,
}: {
  conference: string;
  title: string;
  /** Further answers that the import changes. */
  also?: readonly AnyEndpoint[];
  onClose: () => void;
}) {
  const { notify } = useKit();
  const bring = useChange(conferences.importAttendance, {
    refresh: [conferences.listConferences, ...also],
    showsErrors: true,
    onDone: ({ added, changed, removed }) => {
      notify({ text: `Imported the list of ${title}: ${added} added, ${changed} changed, ${removed} removed.` });
      onClose();
    },
  });
  const initial: { file: Chosen | null } = { file: null };
  const form = useForm(conferences.importAttendance.body, initial, {
    name: 'attendance',
    also: ['csv'],
    toBody: ({ file }) => ({ csv: file?.csv ?? '' }),
    check: ({ file }) => (file ? {} : { csv: 'Choose a file' }),
    shownElsewhere: ['ATTENDANCE_SHRINKS', 'INVALID_REQUEST'],
    change: bring,
    send: body => bring.mutate({ conference, body }),
  });
  const { file } = form.values;
  const choose = async ([chosen]: readonly File[]) => {
    bring.reset();
    if (chosen) form.set({ file: { name: chosen.name, size: chosen.size, csv: await chosen.text() } });
  };
  const failure = bring.error;
  return (
    <ActForm form={form} label={`The list of ${title}`} act="Import the list" onClose={onClose}>
      {failure?.code === 'INVALID_REQUEST' && (
        <Banner kind="error" traceId={failure.errors[0]?.traceId} title="Import failed. Fix these lines:">
          <ul>
            {failure.errors.map(({ message }) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
        </Banner>
      )}
      {failure?.code === 'ATTENDANCE_SHRINKS' && (
        <Banner
          kind="warning"
          traceId={failure.errors[0]?.traceId}
          actions={
            <Button
              size="s"
              busy={bring.isPending}
              onClick={() => file && bring.mutate({ conference, body: { csv: file.csv, mayRemove: true } })}
            >
              They are no longer registered
            </Button>
          }
        >
          {failure.message}
        </Banner>
      )}
      <FileField
        label="List"
        help="CSV with the columns email, registered_at (such as 2027-02-01T10:00:00+10:00) and attended (yes or no). It replaces the current list."
        {...form.field('csv')}
        files={file ? [{ key: 'list', name: file.name, size: fileSize(file.size), state: 'sent', share: 1 }] : []}
        accept=".csv,text/csv"
        most={1}
        onChoose={files => void choose(files)}
        onRemove={() => {
          bring.reset();
          form.set({ file: null });
        }}
      />
    </ActForm>
  );
}
