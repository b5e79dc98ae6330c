import { useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { electionKinds, elections, type StaffElection } from '@portal/contract/elections/elections';
import { electionOptions } from '@portal/contract/elections/options';
import { Button, ButtonRow, Field, Link, Sheet, Stack, TextArea } from '@portal/ui';
import { useState } from 'react';
import { useMay } from '../shell/use-may.ts';

/** Editor of the candidates or answers on the registry’s own ballots, and of repeating a vote. */
export function ElectionOptions({ election }: { election: StaffElection }) {
  const { electionId, kind, windows, state, publishedAt } = election;
  const { rows } = useAnswer(electionOptions.listOptions, { electionId });
  const may = useMay();
  const [editing, setEditing] = useState(false);
  const [repeating, setRepeating] = useState(false);
  const votes = windows.filter(({ kind: of }) => of.endsWith('-vote'));
  const begun = publishedAt !== null && votes.some(window => window.state !== 'not-yet-open');
  // No one can have voted on an empty ballot of our own, so it can still be filled.
  const fixed = begun && (rows.length > 0 || votes.every(({ url }) => url !== ''));
  const what = electionKinds[kind].seats ? 'candidates' : 'answers';
  return (
    <Sheet title={`On the ballot: ${what}`} meta={publishedAt && <Link href={`/ballots/${electionId}`}>Public page</Link>}>
      <Stack gap={12}>
        {rows.length === 0 ? (
          <p className="quiet">
            No {what} yet.{' '}
            {publishedAt === null ? 'Enter at least two before publishing.' : begun ? 'No one can vote until they are entered.' : ''}
          </p>
        ) : (
          <ol style={{ listStyle: 'decimal', paddingInlineStart: 20 }}>
            {rows.map(({ name, statement }) => (
              <li key={name}>
                <bdi className="strong">{name}</bdi> <span className="quiet">{statement}</span>
              </li>
            ))}
          </ol>
        )}
        {editing ? (
          <OptionsForm key={rows.length} electionId={electionId} rows={rows} what={what} onClose={() => setEditing(false)} />
        ) : repeating ? (
          <RepeatForm election={election} onClose={() => setRepeating(false)} />
        ) : (
          <ButtonRow>
            {may(electionOptions.saveOptions) && !fixed && (state === 'draft' || state === 'published') && (
              <Button icon="edit" onClick={() => setEditing(true)}>
                Change {what}
              </Button>
            )}
            {may(electionOptions.resetElection) && fixed && state === 'published' && (
              <Button variant="danger" onClick={() => setRepeating(true)}>
                Repeat the vote
              </Button>
            )}
          </ButtonRow>
        )}
      </Stack>
    </Sheet>
  );
}

type Option = { name: string; statement: string };

/** One paragraph each: its first line is the name, the others the statement. */
const optionsIn = (text: string): Option[] =>
  text
    .split(/\n\s*\n/)
    .map(paragraph => paragraph.trim())
    .filter(Boolean)
    .map(paragraph => {
      const [name = '', ...more] = paragraph.split('\n');
      return { name: name.trim(), statement: more.join('\n').trim() };
    });

function OptionsForm({
  electionId,
  rows,
  what,
  onClose,
}: {
  electionId: string;
  rows: readonly Option[];
  what: string;
  onClose: () => void;
}) {
  const { notify } = useKit();
  const save = useChange(electionOptions.saveOptions, {
    refresh: [electionOptions.listOptions],
    showsErrors: true,
    onDone: ({ rows: saved }) => {
      notify({ text: `${saved.length} ${what} are saved.` });
      onClose();
    },
  });
  const initial = { rows: rows.map(({ name, statement }) => (statement ? `${name}\n${statement}` : name)).join('\n\n') };
  const form = useForm(electionOptions.saveOptions.body, initial, {
    name: 'options',
    toBody: values => ({ rows: optionsIn(values.rows) }),
    change: save,
    send: body => save.mutate({ electionId, body }),
  });
  return (
    <ActForm form={form} label={`Change ${what}`} act="Save" onClose={onClose}>
      <Field
        label={`One paragraph for each of the ${what}`}
        help="The first line is the name, further lines are the statement. An empty line separates them. The ballot keeps this order."
        {...form.field('rows')}
      >
        <TextArea rows={10} dir="auto" value={form.values.rows} onChange={({ target }) => form.set({ rows: target.value })} />
      </Field>
    </ActForm>
  );
}

function RepeatForm({ election: { electionId, version }, onClose }: { election: StaffElection; onClose: () => void }) {
  const { notify } = useKit();
  const refusal = useRefusal(electionOptions.resetElection);
  const repeat = useChange(electionOptions.resetElection, {
    refresh: [elections.getElection, elections.listElections],
    showsErrors: true,
    onDone: ({ voided }) => {
      notify({ text: `The vote is repeated. ${voided} votes are void.` });
      onClose();
    },
    onProposed: onClose,
  });
  const form = useForm(
    electionOptions.resetElection.body,
    { reason: '' },
    {
      name: 'repeat',
      toBody: values => ({ ...values, version }),
      ifEmpty: { reason: 'Enter a reason' },
      change: repeat,
      send: body => repeat.mutate({ electionId, body }),
    },
  );
  if (refusal) return <p className="small">{refusal.reason}.</p>;
  return (
    <ActForm form={form} label="Repeat the vote" act="Repeat the vote" kind="danger" onClose={onClose}>
      <Field
        label="Reason"
        help="Once a scrutineer approves it, votes that were cast become void, and everyone who voted is asked to vote again. This can’t be undone."
        {...form.field('reason')}
      >
        <TextArea rows={2} {...form.input('reason')} />
      </Field>
    </ActForm>
  );
}
