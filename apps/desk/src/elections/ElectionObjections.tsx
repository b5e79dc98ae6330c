import { useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { elections } from '@portal/contract/elections/elections';
import { objectionLife, type ObjectionState } from '@portal/contract/encrypted-ballots/objection-life';
import { type ObjectionSubject, rollObjections, type StaffObjection } from '@portal/contract/encrypted-ballots/objections';
import { encryptedBallotSetup } from '@portal/contract/encrypted-ballots/setup';
import { canMove } from '@portal/contract/life';
import { Button, ButtonRow, DateText, Field, Link, Sheet, Stack, type State, StateMark, TextArea, TextInput } from '@portal/ui';
import { useState } from 'react';

const marks: Record<ObjectionState, { state: State; words: string }> = {
  open: { state: 'pending', words: 'Open: decide' },
  upheld: { state: 'valid', words: 'Upheld' },
  rejected: { state: 'invalid', words: 'Rejected' },
  withdrawn: { state: 'closed', words: 'Withdrawn' },
};
const subjects: Record<ObjectionSubject, string> = {
  votes: 'Number of votes',
  missing: 'Missing on the roll',
  code: 'Voting code',
};

/** Objections to the electoral roll: a returning officer decides on each before voting opens. */
export function ElectionObjections({ electionId }: { electionId: string }) {
  const { rows } = useAnswer(rollObjections.listRollObjections, { electionId });
  const open = rows.filter(({ state }) => state === 'open').length;
  return (
    <Sheet title="Objections to the roll" meta={rows.length > 0 && <span>{rows.length}</span>}>
      <Stack gap={16}>
        {rows.length === 0 && <p className="quiet">No objections. Those that accounts make before voting opens appear here.</p>}
        {open > 0 && <p>The ballot can’t be set up, and no ballot can be cast, while an objection is open.</p>}
        {rows.map(row => (
          <OneObjection key={row.objectionId} row={row} />
        ))}
      </Stack>
    </Sheet>
  );
}

function OneObjection({ row }: { row: StaffObjection }) {
  const { accountName, about, reason, state, madeBy, madeAt, votesThen, decidedAt, decidedBy, answer } = row;
  const [deciding, setDeciding] = useState<'uphold' | 'reject' | null>(null);
  const refusal = useRefusal(rollObjections.decideObjection);
  return (
    <article aria-label={`${accountName}: ${subjects[about]}`}>
      <Stack gap={8}>
        <p>
          <Link href={`/desk/accounts/${accountName}`}>{accountName}</Link> <b className="strong">{subjects[about]}</b>
          {votesThen !== null && `, ${votesThen} ${votesThen === 1 ? 'vote' : 'votes'} on the roll`}{' '}
          <StateMark state={marks[state].state}>{marks[state].words}</StateMark>
        </p>
        <p style={{ whiteSpace: 'pre-line' }}>
          <bdi>{reason}</bdi>
        </p>
        <p className="small quiet">
          <bdi>{madeBy}</bdi>, <DateText value={madeAt} />
        </p>
        {decidedBy !== null && (
          <p>
            <bdi>{decidedBy}</bdi>, <DateText value={decidedAt!} />: <bdi>{answer}</bdi>
          </p>
        )}
        {canMove(objectionLife.decide, state) && deciding === null && (
          <ButtonRow>
            <Button
              size="s"
              refusal={refusal}
              refusalIn="note"
              aria-label={`Uphold the objection of ${accountName}`}
              onClick={() => setDeciding('uphold')}
            >
              Uphold
            </Button>
            <Button
              size="s"
              variant="danger"
              refusal={refusal}
              aria-label={`Reject the objection of ${accountName}`}
              onClick={() => setDeciding('reject')}
            >
              Reject
            </Button>
          </ButtonRow>
        )}
        {deciding !== null && <Decision row={row} upheld={deciding === 'uphold'} onClose={() => setDeciding(null)} />}
      </Stack>
    </article>
  );
}

function Decision({
  row: { objectionId, accountName, about },
  upheld,
  onClose,
}: {
  row: StaffObjection;
  upheld: boolean;
  onClose: () => void;
}) {
  const { notify } = useKit();
  const change = useChange(rollObjections.decideObjection, {
    refresh: [rollObjections.listRollObjections, encryptedBallotSetup.getEncryptedBallot, elections.getElection],
    showsErrors: true,
    onDone: ({ state }) => {
      notify({ text: `The objection of ${accountName} is ${state}.` });
      onClose();
    },
  });
  const gives = upheld && about !== 'code';
  const form = useForm(
    rollObjections.decideObjection.body,
    { votes: '', answer: '' },
    {
      name: `decide-objection-${objectionId}`,
      also: ['upheld'],
      toBody: ({ votes, answer }) => ({ upheld, answer, votes: gives && votes.trim() !== '' ? Number(votes) : null }),
      ifEmpty: { answer: 'Enter the reason of the decision' },
      change,
      send: body => change.mutate({ objectionId, body }),
    },
  );
  const words = gives
    ? 'Once a scrutineer approves it, the roll is corrected. Voting codes and archive that were made for it are discarded: the credential authority makes new codes, and you set the ballot up again. The key of the trustees stays.'
    : 'Once a scrutineer approves it, new voting codes are made for all voters, and you set the ballot up again. The key of the trustees stays.';
  return (
    <ActForm
      form={form}
      label={`${upheld ? 'Uphold' : 'Reject'} the objection of ${accountName}`}
      act={upheld ? 'Uphold the objection' : 'Reject the objection'}
      kind={upheld ? undefined : 'danger'}
      onClose={onClose}
    >
      {upheld && <p>{words}</p>}
      {gives && (
        <Field
          label="Votes"
          help={`Votes of ${accountName} on the corrected roll, as many as accounts have in such an election.`}
          {...form.field('votes')}
        >
          <TextInput inputMode="numeric" {...form.input('votes')} />
        </Field>
      )}
      <Field label="Reason" help={`${accountName} reads it.`} {...form.field('answer')}>
        <TextArea rows={3} {...form.input('answer')} />
      </Field>
    </ActForm>
  );
}
