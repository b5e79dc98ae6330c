import { type CallAnswer, Page, useAccount, useAnswer, useChange, useDateFormat, useKit, useRefusal, useSession } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import { objectionLife, type ObjectionState } from '@portal/contract/encrypted-ballots/objection-life';
import { type ObjectionSubject, type RollObjection, rollObjections } from '@portal/contract/encrypted-ballots/objections';
import { canMove } from '@portal/contract/life';
import { pages } from '@portal/contract/pages';
import {
  Breadcrumb,
  Button,
  ButtonRow,
  DateText,
  Field,
  formatCount,
  Grid,
  KeyValueList,
  Link,
  Refusal,
  Select,
  Sheet,
  Stack,
  type State,
  StateMark,
  TextArea,
} from '@portal/ui';
import { useState } from 'react';
import { useElectionId } from './election-id.ts';

type Entry = CallAnswer<typeof rollObjections.getRollEntry>;
const title = pages.rollEntry.title;
const refresh = [rollObjections.getRollEntry];

/** `/voting/{electionId}/roll`: the account's entry on the electoral roll, and objections to it. */
export default function RollEntryPage() {
  const { account } = useSession();
  if (!account)
    return (
      <Page title={title}>
        <Refusal
          title="You aren’t on an electoral roll"
          rule="Only member accounts are on it."
          help="Attendees are on the list of their conference."
        />
      </Page>
    );
  return <RollEntry key={account.accountName} />;
}

function RollEntry() {
  const { accountName: account } = useAccount();
  const electionId = useElectionId();
  const entry = useAnswer(rollObjections.getRollEntry, { account, electionId });
  return (
    <Page
      title={title}
      sub={entry.title}
      breadcrumb={<Breadcrumb items={[{ label: pages.voting.title, href: pages.voting.path }, { label: title }]} />}
    >
      <Grid columns={2}>
        <Stack gap={16}>
          <OwnEntry account={account} entry={entry} />
          <Objections account={account} electionId={electionId} entry={entry} />
        </Stack>
        {entry.fixedAt !== null && <WholeRoll electionId={electionId} entry={entry} />}
      </Grid>
    </Page>
  );
}

function OwnEntry({ account, entry: { fixedAt, votes, closesAt, opensAt, timeZone } }: { account: string; entry: Entry }) {
  const official = { timeZone, hourCycle: useDateFormat().hourCycle };
  return (
    <Sheet title={account}>
      {fixedAt === null ? (
        <p>The roll isn’t fixed yet. Your entry appears here once it is, before voting opens.</p>
      ) : (
        <KeyValueList
          align="left"
          items={[
            { key: 'Votes', value: votes === null ? <StateMark state="warning">Not on the roll</StateMark> : formatCount(votes) },
            { key: 'Roll fixed', value: <DateText value={fixedAt} format={official} /> },
            ...(closesAt === null
              ? []
              : [{ key: 'Objections until', value: <DateText value={closesAt} shape="day-time" format={official} /> }]),
            ...(opensAt === null ? [] : [{ key: 'Voting opens', value: <DateText value={opensAt} shape="day-time" format={official} /> }]),
            { key: 'Official time', value: timeZone },
          ]}
        />
      )}
    </Sheet>
  );
}

const subjects: Record<ObjectionSubject, { label: string; words: string }> = {
  votes: { label: 'The number of votes is wrong', words: 'Number of votes' },
  missing: { label: 'The account is missing on the roll', words: 'Missing on the roll' },
  code: { label: 'The voting code is missing, or someone else has it', words: 'Voting code' },
};
const marks: Record<ObjectionState, { state: State; words: string }> = {
  open: { state: 'pending', words: 'Open' },
  upheld: { state: 'valid', words: 'Upheld' },
  rejected: { state: 'invalid', words: 'Rejected' },
  withdrawn: { state: 'closed', words: 'Withdrawn' },
};

function Objections({ account, electionId, entry }: { account: string; electionId: string; entry: Entry }) {
  const { objections, possible, fixedAt } = entry;
  const [objecting, setObjecting] = useState(false);
  const refusal = useRefusal(rollObjections.objectToRoll);
  if (fixedAt === null) return null;
  return (
    <Sheet title="Objections">
      <Stack gap={16}>
        {objections.map(each => (
          <OneObjection key={each.objectionId} account={account} objection={each} />
        ))}
        {objecting && possible.length > 0 ? (
          <ObjectionForm account={account} electionId={electionId} possible={possible} onClose={() => setObjecting(false)} />
        ) : possible.length > 0 ? (
          <Stack gap={8}>
            <p>Is something wrong with this entry? A returning officer decides before voting opens, and tells you why.</p>
            <ButtonRow>
              <Button refusal={refusal} onClick={() => setObjecting(true)}>
                Object to this entry
              </Button>
            </ButtonRow>
          </Stack>
        ) : (
          objections.length === 0 && <p className="quiet">No objections. They are closed, as voting opens.</p>
        )}
      </Stack>
    </Sheet>
  );
}

function OneObjection({
  account,
  objection: { objectionId, about, reason, state, madeBy, madeAt, decidedAt, answer },
}: {
  account: string;
  objection: RollObjection;
}) {
  const { notify } = useKit();
  const refusal = useRefusal(rollObjections.withdrawObjection);
  const withdraw = useChange(rollObjections.withdrawObjection, { refresh, onDone: () => notify({ text: 'The objection is withdrawn.' }) });
  return (
    <article aria-label={subjects[about].words}>
      <Stack gap={8}>
        <p>
          <b className="strong">{subjects[about].words}</b> <StateMark state={marks[state].state}>{marks[state].words}</StateMark>
        </p>
        <p style={{ whiteSpace: 'pre-line' }}>
          <bdi>{reason}</bdi>
        </p>
        <p className="small quiet">
          <bdi>{madeBy}</bdi>, <DateText value={madeAt} />
        </p>
        {answer !== '' && (
          <p>
            Decided on <DateText value={decidedAt!} />: <bdi>{answer}</bdi>
          </p>
        )}
        {canMove(objectionLife.withdraw, state) && (
          <ButtonRow>
            <Button size="s" busy={withdraw.isPending} refusal={refusal} onClick={() => withdraw.mutate({ account, objectionId })}>
              Withdraw the objection
            </Button>
          </ButtonRow>
        )}
      </Stack>
    </article>
  );
}

function ObjectionForm({
  account,
  electionId,
  possible,
  onClose,
}: {
  account: string;
  electionId: string;
  possible: readonly ObjectionSubject[];
  onClose: () => void;
}) {
  const { notify } = useKit();
  const change = useChange(rollObjections.objectToRoll, {
    refresh,
    showsErrors: true,
    onDone: () => {
      notify({ text: 'The registry has your objection. It decides before voting opens.' });
      onClose();
    },
  });
  const form = useForm(
    rollObjections.objectToRoll.body,
    { about: possible[0] as string, reason: '' },
    {
      name: `objection-${electionId}`,
      ifEmpty: { reason: 'Say what is wrong, and what would be right' },
      change,
      send: body => change.mutate({ account, electionId, body }),
    },
  );
  return (
    <ActForm form={form} label="Object to this entry" act="Object" onClose={onClose}>
      <Field label="Wrong" {...form.field('about')}>
        <Select {...form.input('about')} options={possible.map(value => ({ value, label: subjects[value].label }))} />
      </Field>
      <Field
        label="Reason"
        help="Say what is wrong and what would be right, such as the holdings that were not counted. No ballot can be cast while the objection is open."
        {...form.field('reason')}
      >
        <TextArea rows={4} {...form.input('reason')} />
      </Field>
    </ActForm>
  );
}

/** The roll by number of votes, as everyone sees it. */
function WholeRoll({ electionId, entry: { roll } }: { electionId: string; entry: Entry }) {
  return (
    <Sheet title="The whole roll">
      <Stack gap={12}>
        <KeyValueList
          items={roll.map(({ votes, accounts }) => ({
            key: votes === 1 ? '1 vote' : `${formatCount(votes)} votes`,
            value: accounts === 1 ? '1 account' : `${formatCount(accounts)} accounts`,
          }))}
        />
        <p>
          <Link href={`/elections/${electionId}`} target="_blank">
            Public page of the election
            <span className="vh"> in a new window</span>
          </Link>
        </p>
      </Stack>
    </Sheet>
  );
}
