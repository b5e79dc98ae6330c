import { type CallAnswer, useKit } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { noCall, useForm } from '@portal/app-kit/form/use-form';
import { ballotCasting, TypedTracker } from '@portal/contract/encrypted-ballots/casting';
import { Button, Field, formatCount, Row, Sheet, StateMark, TextInput } from '@portal/ui';
import { useState } from 'react';
import { readTracker } from './cast-ballot.ts';

type Box = CallAnswer<typeof ballotCasting.listTrackers>;
type Found = { votes: number | null; ballots: number };

/** Looks for a tracker in the whole list of an election, which the page loads: the tracker is sent to no one, and is in no address. */
export function BallotLookup({ electionId, known = null }: { electionId: string; known?: string | null }) {
  const { call, showErrors } = useKit();
  const [found, setFound] = useState<Found | null>(null);
  const [busy, setBusy] = useState(false);
  const look = async (tracker: string) => {
    setFound(null);
    setBusy(true);
    const { data, errors } = await call(ballotCasting.listTrackers, { electionId });
    setBusy(false);
    if (errors) return showErrors(errors);
    const { rows } = data as Box;
    setFound({ votes: rows.find(row => row.tracker === tracker)?.votes ?? null, ballots: rows.length });
  };
  const form = useForm(
    TypedTracker,
    { tracker: known ?? '' },
    {
      name: 'lookup',
      check: ({ tracker }) => ({
        tracker: readTracker(tracker) === null ? 'Enter a tracker: 43 characters, or 64 hexadecimal digits' : undefined,
      }),
      change: noCall,
      send: ({ tracker }) => void look(readTracker(tracker)!),
    },
  );
  return (
    <Sheet title="Is my ballot in the box?" meta="The page loads all trackers and compares them here">
      <Form form={form} label="Look up a tracker">
        <Field label="Tracker" help="As on your receipt, in either form." {...form.field('tracker')}>
          <TextInput mono {...form.input('tracker')} spellCheck={false} autoCapitalize="off" />
        </Field>
        <Row wrap gap={12}>
          <Button type="submit" busy={busy}>
            Look it up
          </Button>
          <output>{found && <Answer found={found} />}</output>
        </Row>
      </Form>
    </Sheet>
  );
}

function Answer({ found: { votes, ballots } }: { found: Found }) {
  const all = ballots === 1 ? 'One ballot is' : `${formatCount(ballots)} ballots are`;
  return votes === null ? (
    <StateMark state="invalid" plain>
      Not in the box. {all} in it. Compare each character; if it is right, write to the returning officer before voting closes.
    </StateMark>
  ) : (
    <StateMark state="valid" plain>
      In the box with {votes === 1 ? 'one vote' : `${votes} votes`}. {all} in it.
    </StateMark>
  );
}
