import { useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import type { StaffElection } from '@portal/contract/elections/elections';
import { canMove } from '@portal/contract/life';
import { nominationLife, type NominationState } from '@portal/contract/elections/life';
import { nominations, type StaffNomination } from '@portal/contract/elections/nominations';
import { electionOptions } from '@portal/contract/elections/options';
import { Button, ButtonRow, DateText, Field, Sheet, Stack, type State, StateMark, TextArea } from '@portal/ui';
import { useState } from 'react';

const refresh = [nominations.listNominations, electionOptions.listOptions];

const marks: Record<NominationState, { state: State; words: string }> = {
  'awaiting-authorisation': { state: 'closed', words: 'Awaiting the member’s corporate contact' },
  'awaiting-nominee': { state: 'closed', words: 'Awaiting the nominee' },
  confirmed: { state: 'pending', words: 'Agreed: check it' },
  eligible: { state: 'valid', words: 'Candidate' },
  ineligible: { state: 'invalid', words: 'Can’t stand' },
  declined: { state: 'closed', words: 'Declined' },
  withdrawn: { state: 'closed', words: 'Withdrawn' },
};

/** Nominations of an election: staff check those who agreed, and put the candidates on the ballot. */
export function ElectionNominations({ election }: { election: StaffElection }) {
  const { electionId, seats, windows } = election;
  const { rows } = useAnswer(nominations.listNominations, { electionId });
  const { notify } = useKit();
  const refusal = useRefusal(nominations.putCandidatesOnBallot);
  const put = useChange(nominations.putCandidatesOnBallot, {
    refresh,
    onDone: ({ candidates }) =>
      notify({ text: `${candidates === 1 ? 'One candidate is' : `${candidates} candidates are`} on the ballot.` }),
  });
  const closed = windows.some(({ kind, state }) => kind === 'nomination' && state === 'closed');
  const votes = windows.filter(({ kind }) => kind.endsWith('-vote'));
  const { rows: options } = useAnswer(electionOptions.listOptions, { electionId });
  // A ballot of our own that is still empty when voting opens can be filled.
  const begun = votes.some(({ state }) => state !== 'not-yet-open') && (options.length > 0 || votes.every(({ url }) => url !== ''));
  const candidates = rows.filter(({ state }) => state === 'eligible').length;
  return (
    <Sheet title="Nominations">
      <Stack gap={16}>
        {rows.length === 0 && <p className="quiet">No nominations yet.</p>}
        {rows.map(row => (
          <OneNomination key={row.nominationId} row={row} decidable={!begun} />
        ))}
        {closed && !begun && (
          <Stack gap={8}>
            {seats !== null && candidates <= seats && (
              <p>
                There are not more candidates ({candidates}) than seats ({seats}). No vote is needed: cancel the election, and announce who
                is elected.
              </p>
            )}
            <ButtonRow>
              <Button busy={put.isPending} refusal={refusal} onClick={() => put.mutate({ electionId })}>
                Put the candidates on the ballot
              </Button>
            </ButtonRow>
            <p className="small quiet">
              The order follows from the seed that was drawn as the election was published. It happens automatically once all who agreed are
              checked.
            </p>
          </Stack>
        )}
      </Stack>
    </Sheet>
  );
}

function OneNomination({ row, decidable }: { row: StaffNomination; decidable: boolean }) {
  const { nominationId, fullName, email, organisation, state, nominatorName, accountName, nominatedAt, reason, statement, judgeReason } =
    row;
  const { notify } = useKit();
  const [rejecting, setRejecting] = useState(false);
  const refusal = useRefusal(nominations.judgeNomination);
  const decide = useChange(nominations.judgeNomination, { refresh, onDone: () => notify({ text: `${fullName} is a candidate.` }) });
  const agreed = canMove(nominationLife.judge, state);
  return (
    <article aria-label={fullName}>
      <Stack gap={8}>
        <p>
          <b className="strong">
            <bdi>{fullName}</bdi>
          </b>
          , {organisation && <bdi>{organisation}, </bdi>}
          {email} <StateMark state={marks[state].state}>{marks[state].words}</StateMark>
        </p>
        <p className="small quiet">
          Nominated by <bdi>{nominatorName}</bdi>
          {accountName && ` for ${accountName}`}, <DateText value={nominatedAt} />
          {judgeReason && `. ${judgeReason}`}
        </p>
        <p className="small" dir="auto" style={{ whiteSpace: 'pre-line' }}>
          {reason}
        </p>
        {statement && (
          <p className="small" dir="auto" style={{ whiteSpace: 'pre-line' }}>
            <b>Statement:</b> {statement}
          </p>
        )}
        {agreed && decidable && !rejecting && (
          <ButtonRow>
            {state !== 'eligible' && (
              <Button
                size="s"
                variant="commit"
                busy={decide.isPending}
                refusal={refusal}
                aria-label={`Can stand: ${fullName}`}
                onClick={() => decide.mutate({ nominationId, body: { eligible: true, reason: '' } })}
              >
                Can stand
              </Button>
            )}
            {state !== 'ineligible' && (
              <Button
                size="s"
                variant="danger"
                refusal={refusal}
                aria-label={`Can’t stand: ${fullName}`}
                onClick={() => setRejecting(true)}
              >
                Can’t stand
              </Button>
            )}
          </ButtonRow>
        )}
        {rejecting && <RejectForm row={row} onClose={() => setRejecting(false)} />}
      </Stack>
    </article>
  );
}

function RejectForm({ row: { nominationId, fullName }, onClose }: { row: StaffNomination; onClose: () => void }) {
  const { notify } = useKit();
  const decide = useChange(nominations.judgeNomination, {
    refresh,
    showsErrors: true,
    onDone: () => {
      notify({ text: `${fullName} can’t stand. We wrote to both.` });
      onClose();
    },
  });
  const form = useForm(
    nominations.judgeNomination.body,
    { reason: '' },
    {
      name: 'judge-nomination',
      toBody: values => ({ ...values, eligible: false }),
      ifEmpty: { reason: 'Enter a reason' },
      change: decide,
      send: body => decide.mutate({ nominationId, body }),
    },
  );
  return (
    <ActForm form={form} label={`Reject ${fullName}`} act="Can’t stand" kind="danger" keep="Back" onClose={onClose}>
      <Field label="Reason" help="The nominee and the nominator read it." {...form.field('reason')}>
        <TextArea rows={2} {...form.input('reason')} />
      </Field>
    </ActForm>
  );
}
