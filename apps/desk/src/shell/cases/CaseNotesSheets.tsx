import { useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { type CaseLine, type CaseNotes, staffCases } from '@portal/contract/staff/cases';
import { Badge, Button, Checkbox, DateText, Field, Link, Sheet, Stack, StateMark, TextInput } from '@portal/ui';
import { DateInput } from '@portal/ui/form/DateInput';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import styles from './Case.module.css';
import { CaseSteps } from './CaseSteps.tsx';
import { useDeskKeys } from './desk-keys.ts';
import { Key } from './Key.tsx';
import { useOpenCase } from './open-case.ts';
import { stateOf } from './state-words.ts';
import { caseNameOf, casePath } from '@portal/contract/staff/case-words';

/** The reads that a change beside a case renews. */
const refresh = [staffCases.getCase];

/** The notes of registry staff beside the case on the page: who watches it, their reminders, and cases that belong to it. */
export function CaseNotesSheets() {
  const { named: input } = useOpenCase();
  const notes = useAnswer(staffCases.getCase, input);
  return (
    <>
      {notes.steps.length > 0 && <CaseSteps events={notes.steps} />}
      {notes.marks.length > 0 && <Marks notes={notes} />}
      <Reminders notes={notes} input={input} />
      <Links notes={notes} input={input} />
      {notes.handOvers.length > 0 && <HandOvers handOvers={notes.handOvers} />}
    </>
  );
}

/** A button with its letter, or the form that it opens: the first field of the form gets the focus, and the button gets it back. */
function OpensForm({ letter, form, children }: { letter: string; form: ReactNode | null; children: ReactNode }) {
  const around = useRef<HTMLDivElement>(null);
  const isOpen = form !== null;
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    const opened = isOpen && !wasOpen.current;
    const closed = !isOpen && wasOpen.current;
    wasOpen.current = isOpen;
    if (opened) around.current?.querySelector('input')?.focus();
    if (closed) around.current?.querySelector<HTMLElement>(`[aria-keyshortcuts="${letter}"]`)?.focus();
  }, [isOpen, letter]);
  return <div ref={around}>{form ?? <div className={styles.buttons}>{children}</div>}</div>;
}

/** Risk marks that colleagues set on the account of the case. */
function Marks({ notes: { marks, case: of } }: { notes: CaseNotes }) {
  return (
    <Sheet
      title="Risk marks"
      meta={
        <Badge kind="warning" icon="lock">
          Registry only
        </Badge>
      }
      actions={<Link href={`/desk/accounts/${encodeURIComponent(of.accountName!)}#risks`}>Open</Link>}
    >
      <ul className={styles.lines}>
        {marks.map(({ riskMarkId, title, reason, setBy, endsOn }) => (
          <li key={riskMarkId}>
            <span>
              {title}
              <span className={styles.source}>
                <bdi>{reason}</bdi>
                {/[.!?]$/.test(reason) ? ' ' : '. '}Set by {setBy}, ends <DateText value={endsOn} shape="date" />
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}

type Props = { notes: CaseNotes; input: { kind: string; caseId: string } };

function Reminders({ notes: { reminders, watchers, watching }, input }: Props) {
  const { notify } = useKit();
  const [isOpen, setOpen] = useState(false);
  const watch = useChange(staffCases.watchCase, {
    refresh,
    onDone: ({ watching: now }) => notify({ text: now ? 'You’re notified when it moves.' : 'You no longer watch it.' }),
  });
  const remove = useChange(staffCases.removeReminder, { refresh, onDone: () => notify({ text: 'The reminder is removed.' }) });
  const refusal = useRefusal(staffCases.watchCase);
  const toggle = () => watch.mutate({ ...input, body: { watching: !watching } });
  useDeskKeys(refusal ? {} : { w: toggle, d: () => setOpen(true) });
  return (
    <Sheet title="Watch and remind">
      <Stack gap={8}>
        <p className="small quiet">
          {watchers.length === 0 ? 'No one watches it.' : `Watched by ${watchers.map(({ name }) => name).join(', ')}.`}
        </p>
        {reminders.length > 0 && (
          <ul className={styles.lines}>
            {reminders.map(({ reminderId, day, words, byMail }) => (
              <li key={reminderId}>
                <span>
                  <DateText value={day} shape="day" />
                  {byMail && <span className="quiet">, by e-mail too</span>}
                  {words && <span className={styles.source}>{words}</span>}
                </span>
                <Button
                  size="s"
                  variant="quiet"
                  icon="close"
                  aria-label={`Remove the reminder of ${day}`}
                  busy={remove.isPending}
                  onClick={() => remove.mutate({ ...input, reminderId })}
                />
              </li>
            ))}
          </ul>
        )}
        <OpensForm letter="d" form={isOpen ? <ReminderForm input={input} onClose={() => setOpen(false)} /> : null}>
          <Button size="s" refusal={refusal} busy={watch.isPending} aria-pressed={watching} aria-keyshortcuts="w" onClick={toggle}>
            {watching ? 'Stop watching' : 'Watch'} <Key name="w" />
          </Button>
          <Button size="s" refusal={refusal} aria-keyshortcuts="d" onClick={() => setOpen(true)}>
            Remind me <Key name="d" />
          </Button>
        </OpensForm>
      </Stack>
    </Sheet>
  );
}

function ReminderForm({ input, onClose }: Pick<Props, 'input'> & { onClose: () => void }) {
  const { notify } = useKit();
  const add = useChange(staffCases.remindOfCase, {
    refresh,
    showsErrors: true,
    onDone: () => {
      onClose();
      notify({ text: 'You’re reminded on the desk that morning.' });
    },
  });
  const form = useForm(
    staffCases.remindOfCase.body,
    { day: '', words: '', byMail: false },
    { name: 'reminder', ifEmpty: { day: 'Choose a day' }, change: add, send: body => add.mutate({ ...input, body }) },
  );
  return (
    <ActForm form={form} label="Remind me" act="Remind me" onClose={onClose}>
      <Field label="Day" {...form.field('day')}>
        <DateInput {...form.input('day')} />
      </Field>
      <Field label="Of what" optional {...form.field('words')}>
        <TextInput {...form.input('words')} />
      </Field>
      <Checkbox checked={form.values.byMail} onChange={event => form.set({ byMail: event.target.checked })}>
        By e-mail too
      </Checkbox>
    </ActForm>
  );
}

function Links({ notes: { links }, input }: Props) {
  const { notify } = useKit();
  const [isOpen, setOpen] = useState(false);
  const unlink = useChange(staffCases.unlinkCase, { refresh, onDone: () => notify({ text: 'The link is removed.' }) });
  const refusal = useRefusal(staffCases.linkCase);
  useDeskKeys(refusal ? {} : { l: () => setOpen(true) });
  return (
    <Sheet title="Linked cases">
      <Stack gap={8}>
        {links.length === 0 && !isOpen && <p className="small quiet">No linked cases. Link a case or ticket that belongs to this one.</p>}
        {links.length > 0 && (
          <ul className={styles.lines}>
            {links.map(line => (
              <li key={line.linkId}>
                <LinkedCase line={line} />
                <Button
                  size="s"
                  variant="quiet"
                  icon="close"
                  aria-label={`Remove the link to ${caseNameOf(line)}`}
                  refusal={refusal}
                  busy={unlink.isPending}
                  onClick={() => unlink.mutate({ ...input, linkId: line.linkId })}
                />
              </li>
            ))}
          </ul>
        )}
        <OpensForm letter="l" form={isOpen ? <LinkForm input={input} onClose={() => setOpen(false)} /> : null}>
          <Button size="s" refusal={refusal} aria-keyshortcuts="l" onClick={() => setOpen(true)}>
            Link a case <Key name="l" />
          </Button>
        </OpensForm>
      </Stack>
    </Sheet>
  );
}

/** The hand-overs of the case, the latest first. */
const HandOvers = ({ handOvers }: Pick<CaseNotes, 'handOvers'>) => (
  <Sheet title="Handed over">
    <ul className={styles.lines}>
      {handOvers.map(({ from, to, by, words, at }) => (
        <li key={at}>
          <span>
            {from === null || from === by ? `${by} to ${to}` : `${from} to ${to}, by ${by}`}
            <span className={styles.source}>
              <DateText value={at} />
              {words && `: ${words}`}
            </span>
          </span>
        </li>
      ))}
    </ul>
  </Sheet>
);

const LinkedCase = ({ line }: { line: CaseLine }) => (
  <span>
    <Link href={casePath(line)}>{caseNameOf(line)}</Link>{' '}
    <StateMark plain state={stateOf(line).state}>
      {stateOf(line).words}
    </StateMark>
    <span className={styles.source}>{[line.accountName, line.reference === null ? '' : line.asked].filter(Boolean).join(', ')}</span>
  </span>
);

function LinkForm({ input, onClose }: Pick<Props, 'input'> & { onClose: () => void }) {
  const { notify } = useKit();
  const add = useChange(staffCases.linkCase, {
    refresh,
    showsErrors: true,
    onDone: () => {
      onClose();
      notify({ text: 'The cases are linked.' });
    },
  });
  const form = useForm(
    staffCases.linkCase.body,
    { other: '' },
    { name: 'case-link', ifEmpty: { other: 'Enter a case, such as REQ-7' }, change: add, send: body => add.mutate({ ...input, body }) },
  );
  return (
    <ActForm form={form} label="Link a case" act="Link" onClose={onClose}>
      <Field label="Case or ticket" help="A reference such as REQ-7, ORG-3 or APP-2, or the number of a ticket." {...form.field('other')}>
        <TextInput {...form.input('other')} />
      </Field>
    </ActForm>
  );
}
