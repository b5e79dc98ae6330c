import { Page, useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { type Conference, conferences } from '@portal/contract/elections/conferences';
import { pages } from '@portal/contract/pages';
import { Breadcrumb, Button, ButtonRow, DateText, EmptyState, Field, Sheet, Stack, TextInput } from '@portal/ui';
import { DateInput } from '@portal/ui/form/DateInput';
import { useState } from 'react';
import { AttendanceForm } from '../shell/AttendanceForm.tsx';
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
  const refusal = useRefusal(conferences.addConference);
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
        <Button icon="plus" refusal={refusal} onClick={() => setOpen(true)}>
          New conference
        </Button>
      </ButtonRow>
    );
  return (
    <Sheet title="New conference">
      <Form form={form} label="New conference" onClose={close}>
        <Field label="Short name" help="Such as CONF-62. It can’t be changed later." {...form.field('conference')}>
          <TextInput {...form.input('conference')} spellCheck={false} maxLength={40} />
        </Field>
        <Field label="Title" {...form.field('title')}>
          <TextInput {...form.input('title')} />
        </Field>
        <Field label="First day" help="It sets the order of conferences." {...form.field('startsOn')}>
          <DateInput {...form.input('startsOn')} />
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
  const refusal = useRefusal(conferences.importAttendance);
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
          <Button size="s" icon="upload" refusal={refusal} aria-label={`Import list of ${title}`} onClick={() => setBringing(true)}>
            Import list
          </Button>
        )}
      </div>
      {bringing && <AttendanceForm conference={conference} title={title} onClose={() => setBringing(false)} />}
    </li>
  );
}
