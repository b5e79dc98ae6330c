import { Page, useAnswer, useChange, useKit } from '@portal/app-kit';
import { type Conference, conferences } from '@portal/contract/elections/conferences';
import { fileSize } from '@portal/contract/file-kinds';
import { pages } from '@portal/contract/pages';
import { Banner, Breadcrumb, Button, ButtonRow, DateText, EmptyState, Field, FormColumn, Sheet, Stack, TextInput } from '@portal/ui';
import { FileField } from '@portal/ui/picker/FileField';
import { type FormEvent, useState } from 'react';
import styles from './Conferences.module.css';

const refresh = [conferences.listConferences];

/** Conferences, and the lists of who registered and came, by which attendees vote. */
export function Conferences() {
  const { rows } = useAnswer(conferences.listConferences, {});
  return (
    <Page
      title="Conferences and attendance"
      sub="Attendees vote who registered for the current conference and attended one of the eight before it. Lists come from the registration system."
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
            <EmptyState title="There is no conference yet" picture={false}>
              Add one, then bring in the list of who registered.
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
  const [typed, setTyped] = useState({ conference: '', title: '', startsOn: '' });
  const [sent, setSent] = useState(false);
  const add = useChange(conferences.addConference, {
    refresh,
    showsErrors: true,
    onDone: ({ title }) => {
      notify({ text: `${title} is written down.` });
      setOpen(false);
      setSent(false);
      setTyped({ conference: '', title: '', startsOn: '' });
    },
  });
  if (!open)
    return (
      <ButtonRow>
        <Button icon="plus" onClick={() => setOpen(true)}>
          New conference
        </Button>
      </ButtonRow>
    );
  const problems = {
    conference: /^[a-z0-9][a-z0-9-]{1,39}$/i.test(typed.conference.trim())
      ? undefined
      : 'Write letters, digits and hyphens, such as CONF-62',
    title: typed.title.trim().length < 3 ? 'Write a title of at least 3 characters' : undefined,
    startsOn: typed.startsOn === '' ? 'Write the first day' : undefined,
  };
  const send = (event: FormEvent) => {
    event.preventDefault();
    setSent(true);
    if (Object.values(problems).every(problem => !problem)) add.mutate({ body: typed });
  };
  const field = (name: keyof typeof problems) => ({ error: sent ? problems[name] : undefined });
  const input = (name: keyof typeof typed) => ({
    value: typed[name],
    autoComplete: 'off',
    onChange: (event: { target: { value: string } }) => setTyped({ ...typed, [name]: event.target.value }),
  });
  return (
    <Sheet title="New conference">
      <form onSubmit={send} noValidate aria-label="New conference">
        <FormColumn>
          {add.error && (
            <Banner kind="error" traceId={add.error.errors[0]?.traceId}>
              {add.error.message}
            </Banner>
          )}
          <Field label="Short name" help="Such as CONF-62. It stays." {...field('conference')}>
            <TextInput {...input('conference')} spellCheck={false} maxLength={40} />
          </Field>
          <Field label="Title" {...field('title')}>
            <TextInput {...input('title')} maxLength={200} />
          </Field>
          <Field label="First day" help="It tells which conferences were before it." {...field('startsOn')}>
            <TextInput type="date" {...input('startsOn')} />
          </Field>
          <ButtonRow>
            <Button type="submit" variant="primary" busy={add.isPending}>
              Add the conference
            </Button>
            <Button onClick={() => setOpen(false)}>Cancel</Button>
          </ButtonRow>
        </FormColumn>
      </form>
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
          <Button size="s" icon="upload" aria-label={`Bring in the list of ${title}`} onClick={() => setBringing(true)}>
            Bring in the list
          </Button>
        )}
      </div>
      {bringing && <AttendanceForm conference={conference} title={title} onClose={() => setBringing(false)} />}
    </li>
  );
}

type Chosen = { name: string; size: number; csv: string };

/** The whole list of a conference as a file. Whoever would no longer be on it is named before that happens. */
function AttendanceForm({ conference, title, onClose }: { conference: string; title: string; onClose: () => void }) {
  const { notify } = useKit();
  const [file, setFile] = useState<Chosen | null>(null);
  const [sent, setSent] = useState(false);
  const bring = useChange(conferences.importAttendance, {
    refresh,
    showsErrors: true,
    onDone: ({ added, changed, removed }) => {
      notify({ text: `The list of ${title} is taken over: ${added} added, ${changed} changed, ${removed} removed.` });
      onClose();
    },
  });
  const choose = async ([chosen]: readonly File[]) => {
    bring.reset();
    if (chosen) setFile({ name: chosen.name, size: chosen.size, csv: await chosen.text() });
  };
  const send = (mayRemove: boolean) => {
    setSent(true);
    if (file) bring.mutate({ conference, body: { csv: file.csv, mayRemove } });
  };
  const failure = bring.error;
  const shrinks = failure?.code === 'ATTENDANCE_SHRINKS';
  const lines = failure?.errors.filter(({ field }) => field === 'csv').map(({ message }) => message) ?? [];
  return (
    <form
      onSubmit={event => {
        event.preventDefault();
        send(false);
      }}
      noValidate
      aria-label={`The list of ${title}`}
    >
      <FormColumn>
        {failure && (
          <Banner
            kind={shrinks ? 'warning' : 'error'}
            traceId={failure.errors[0]?.traceId}
            title={lines.length > 0 ? 'Nothing was taken over. These lines need another look:' : undefined}
            actions={
              shrinks ? (
                <Button size="s" busy={bring.isPending} onClick={() => send(true)}>
                  They are no longer registered
                </Button>
              ) : undefined
            }
          >
            {lines.length > 0 ? (
              <ul>
                {lines.map(line => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            ) : (
              failure.message
            )}
          </Banner>
        )}
        <FileField
          label="List"
          help="CSV with the columns email, registered_at (such as 2027-02-01T10:00:00+10:00) and attended (yes or no). It takes the place of the list that is there."
          error={sent && !file ? 'Choose a file' : undefined}
          files={file ? [{ key: 'list', name: file.name, size: fileSize(file.size), state: 'sent', share: 1 }] : []}
          accept=".csv,text/csv"
          most={1}
          onChoose={files => void choose(files)}
          onRemove={() => {
            bring.reset();
            setFile(null);
          }}
        />
        <ButtonRow>
          <Button type="submit" variant="commit" busy={bring.isPending}>
            Take over the list
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </ButtonRow>
      </FormColumn>
    </form>
  );
}
