import { Page, useAnswer, useChange, useKit } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { Form } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { type Conference, conferences } from '@portal/contract/elections/conferences';
import { fileSize } from '@portal/contract/file-kinds';
import { pages } from '@portal/contract/pages';
import { Banner, Breadcrumb, Button, ButtonRow, DateText, EmptyState, Field, Sheet, Stack, TextInput } from '@portal/ui';
import { FileField } from '@portal/ui/picker/FileField';
import { useState } from 'react';
import styles from './Conferences.module.css';

const refresh = [conferences.listConferences];

/** Conferences, and the lists of who registered and came, by which attendees vote. */
export function Conferences() {
  const { rows } = useAnswer(conferences.listConferences, {});
  return (
    <Page
      title="Conferences and attendance"
      sub="Attendees can vote if they registered for the current conference and attended one of the previous eight. Lists come from the registration system."
      breadcrumb={
        <Breadcrumb
          items={[{ label: pages.deskElections.title, href: pages.deskElections.path }, { label: 'Conferences and attendance' }]}
        />
      }
    >
      <Stack gap={16}>
        <NewConference />
        <Sheet title="Conferences" flush>
          {rows.length === 0 ? (
            <EmptyState title="No conferences yet" picture={false}>
              Add one, then import its registrations.
            </EmptyState>
          ) : (
            <ul className={styles.conferences}>
              {rows.map(conference => (
                <Row key={conference.conference} conference={conference} />
              ))}
            </ul>
          )}
        </Sheet>
      </Stack>
    </Page>
  );
}

function NewConference() {
  const { notify } = useKit();
  const [open, setOpen] = useState(false);
  const add = useChange(conferences.addConference, {
    refresh,
    showsErrors: true,
    onDone: ({ title }) => {
      notify({ text: `${title} is saved.` });
      close();
    },
  });
  const form = useForm(
    conferences.addConference.body,
    { conference: '', title: '', startsOn: '' },
    { name: 'conference', ifEmpty: { startsOn: 'Enter the first day' }, change: add, send: body => add.mutate({ body }) },
  );
  const close = () => {
    form.reset();
    setOpen(false);
  };
  if (!open)
    return (
      <ButtonRow>
        <Button icon="plus" onClick={() => setOpen(true)}>
          New conference
        </Button>
      </ButtonRow>
    );
  return (
    <Sheet title="New conference">
      <Form form={form} label="New conference">
        <Field label="Short name" help="Such as CONF-62. It can’t be changed later." {...form.field('conference')}>
          <TextInput {...form.input('conference')} spellCheck={false} maxLength={40} />
        </Field>
        <Field label="Title" {...form.field('title')}>
          <TextInput {...form.input('title')} />
        </Field>
        <Field label="First day" help="It sets the order of conferences." {...form.field('startsOn')}>
          <TextInput type="date" {...form.input('startsOn')} />
        </Field>
        <ButtonRow>
          <Button type="submit" variant="primary" busy={form.busy}>
            Add the conference
          </Button>
          <Button onClick={close}>Cancel</Button>
        </ButtonRow>
      </Form>
    </Sheet>
  );
}

const people = (count: number): string => (count === 1 ? 'one person' : `${count} people`);

function Row({ conference: { conference, title, startsOn, registered, attended } }: { conference: Conference }) {
  const [bringing, setBringing] = useState(false);
  return (
    <li>
      <div className={styles.head}>
        <div>
          <b>{title}</b> <span className="quiet">{conference}</span>
          <p className="small quiet">
            from <DateText value={startsOn} shape="date" />, {people(registered)} registered, {people(attended)} attended
          </p>
        </div>
        {!bringing && (
          <Button size="s" icon="upload" aria-label={`Import list of ${title}`} onClick={() => setBringing(true)}>
            Import list
          </Button>
        )}
      </div>
      {bringing && <AttendanceForm conference={conference} title={title} onClose={() => setBringing(false)} />}
    </li>
  );
}

type Chosen = { name: string; size: number; csv: string };

/** Imports the whole list of a conference from a file. People who would be removed are named first. */
function AttendanceForm({ conference, title, onClose }: { conference: string; title: string; onClose: () => void }) {
  const { notify } = useKit();
  const bring = useChange(conferences.importAttendance, {
    refresh,
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
