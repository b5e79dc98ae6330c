import { type CallAnswer, FailureBanner, useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { ActForm } from '@portal/app-kit/form/ActForm';
import { useForm } from '@portal/app-kit/form/use-form';
import type { StaffElection } from '@portal/contract/elections/elections';
import { elections } from '@portal/contract/elections/elections';
import { encryptedBallotSetup, type TrusteeStep } from '@portal/contract/encrypted-ballots/setup';
import {
  Button,
  ButtonRow,
  Checkbox,
  DateText,
  Field,
  formatCount,
  KeyValueList,
  Link,
  Mono,
  Sheet,
  Stack,
  StateMark,
  Steps,
  TextArea,
  TextInput,
} from '@portal/ui';
import { type ReactNode, useState } from 'react';

type Ballot = CallAnswer<typeof encryptedBallotSetup.getEncryptedBallot>;
const refresh = [encryptedBallotSetup.getEncryptedBallot, elections.getElection];

const steps = ['Appoint', 'Roll', 'Codes and key', 'Set up', 'Voting', 'Count'];
function stepOf({ authority, roll, hasCredentials, hasKey, setUpAt, archive, result }: Ballot): number {
  if (authority === null) return 0;
  if (roll === null) return 1;
  if (!hasCredentials || !hasKey) return 2;
  if (setUpAt === null) return 3;
  if (result !== null) return steps.length;
  return archive?.kind === 'Setup' || archive?.kind === 'Ballot' ? 4 : 5;
}

const missing: Record<TrusteeStep, string> = {
  key: 'key missing',
  certificate: 'key missing',
  polynomial: 'second message missing',
  share: 'share missing',
  decryption: 'decryption missing',
};

/** How an encrypted ballot is set up and counted: who is appointed, what each still has to send, and what staff do next. */
export function ElectionEncryptedBallot({ election }: { election: StaffElection }) {
  const { electionId, state } = election;
  const ballot = useAnswer(encryptedBallotSetup.getEncryptedBallot, { electionId });
  const { roll, archive, uuid } = ballot;
  return (
    <Sheet title="Encrypted ballot">
      <Stack gap={16}>
        <Steps steps={steps} current={stepOf(ballot)} label="Steps of the ballot" />
        <KeyValueList
          align="left"
          items={[
            { key: 'Credential authority', value: <Authority ballot={ballot} /> },
            { key: 'Trustees', value: <Trustees ballot={ballot} /> },
            {
              key: 'Roll',
              value:
                roll === null ? (
                  <RollToCome ballot={ballot} />
                ) : (
                  roll.map(({ votes, accounts }) => `${formatCount(accounts)} with ${votes}`).join(', ')
                ),
            },
            ...(archive === null
              ? []
              : [
                  { key: 'Ballots', value: formatCount(archive.ballots) },
                  {
                    key: 'Archive',
                    value: (
                      <>
                        <Link href={`/elections/${electionId}`} target="_blank">
                          {uuid}.bel
                        </Link>
                        , last hash <Mono nowrap={false}>{archive.hash}</Mono>
                      </>
                    ),
                  },
                ]),
          ]}
        />
        {ballot.result !== null && <Result result={ballot.result} />}
        {state !== 'cancelled' && <NextAct electionId={electionId} ballot={ballot} />}
      </Stack>
    </Sheet>
  );
}

function Authority({ ballot: { authority, hasCredentials, roll } }: { ballot: Ballot }) {
  if (authority === null) return 'No one yet';
  return (
    <>
      <bdi>{authority.fullName}</bdi>, {authority.email}{' '}
      {hasCredentials ? (
        <StateMark state="valid">Codes made</StateMark>
      ) : roll !== null ? (
        <StateMark state="warning">Codes missing</StateMark>
      ) : (
        <StateMark state="pending">Awaiting the roll</StateMark>
      )}
    </>
  );
}

/** A roll that isn’t fixed: when it is, or why the plan leaves too little time to object to it. */
function RollToCome({ ballot: { rollDueAt, tooSoon } }: { ballot: Ballot }) {
  if (tooSoon !== null)
    return (
      <>
        <StateMark state="warning">Voting opens too soon</StateMark> {tooSoon}. Change the election to open it later.
      </>
    );
  return (
    <>
      Not fixed yet
      {rollDueAt !== null && (
        <>
          . Fixed automatically on <DateText value={rollDueAt} />, once the election is published: accounts then have time to object to it
        </>
      )}
    </>
  );
}

function Trustees({ ballot: { trustees, threshold, hasKey } }: { ballot: Ballot }) {
  if (trustees.length === 0) return 'No one yet';
  return (
    <Stack gap={4}>
      <span>{threshold === null ? 'All of them decrypt' : `${threshold} of ${trustees.length} decrypt`}, together with the registry</span>
      {trustees.map(({ place, fullName, email, next }) => (
        <span key={place}>
          <bdi>{fullName}</bdi>, {email}{' '}
          {next === null ? (
            <StateMark state={hasKey ? 'valid' : 'pending'}>{hasKey ? 'Done' : 'Sent'}</StateMark>
          ) : (
            <StateMark state="warning">{missing[next]}</StateMark>
          )}
        </span>
      ))}
    </Stack>
  );
}

function Result({ result: { blank, answers } }: { result: NonNullable<Ballot['result']> }) {
  const votes = [...answers].toSorted((a, b) => b.votes - a.votes);
  return (
    <div>
      <p className="strong">Result</p>
      <KeyValueList
        items={[
          ...votes.map(({ name, votes: count }) => ({ key: name, value: formatCount(count) })),
          { key: 'Blank ballots', value: formatCount(blank) },
        ]}
      />
    </div>
  );
}

/** The one thing that staff do next, or who is waited for. */
function NextAct({ electionId, ballot }: { electionId: string; ballot: Ballot }) {
  const [appointing, setAppointing] = useState(false);
  const { authority, roll, hasCredentials, hasKey, setUpAt, archive, result } = ballot;
  if (setUpAt !== null) {
    if (archive?.kind === 'EncryptedTally') return <StartCount electionId={electionId} ballot={ballot} />;
    if (result === null && archive?.kind === 'PartialDecryption') return <p>The count has started. The trustees decrypt the sums.</p>;
    return null;
  }
  const appoint = appointing ? (
    <AppointForm electionId={electionId} ballot={ballot} onClose={() => setAppointing(false)} />
  ) : (
    <ButtonRow>
      <AppointButton first={authority === null} onClick={() => setAppointing(true)} />
    </ButtonRow>
  );
  const isReady = roll !== null && hasCredentials && hasKey;
  return (
    <Stack gap={12}>
      {authority !== null && roll === null && (
        <Act
          endpoint={encryptedBallotSetup.fixRoll}
          electionId={electionId}
          act="Fix the roll"
          done="The roll is fixed."
          words="Which accounts vote, and with how many votes, is fixed now. The credential authority makes the voting codes for it."
        />
      )}
      {isReady && (
        <Act
          endpoint={encryptedBallotSetup.setUpBallot}
          electionId={electionId}
          act="Set up the ballot"
          done="The ballot is set up."
          words="The archive begins. Title, description, candidates, keys, codes and roll stay as they are from now on."
        />
      )}
      {authority !== null && roll !== null && !isReady && (
        <p>The credential authority and the trustees are asked by e-mail, and reminded after one and after three days.</p>
      )}
      {appoint}
    </Stack>
  );
}

function AppointButton({ first, onClick }: { first: boolean; onClick: () => void }) {
  const refusal = useRefusal(encryptedBallotSetup.appointTrustees);
  return (
    <Button variant={first ? 'primary' : 'default'} refusal={refusal} onClick={onClick}>
      {first ? 'Appoint authority and trustees' : 'Appoint others'}
    </Button>
  );
}

function Act({
  endpoint,
  electionId,
  act,
  done,
  words,
}: {
  endpoint: typeof encryptedBallotSetup.fixRoll | typeof encryptedBallotSetup.setUpBallot;
  electionId: string;
  act: string;
  /** Notice once it is done. */
  done: string;
  words: ReactNode;
}) {
  const { notify } = useKit();
  const refusal = useRefusal(endpoint);
  const change = useChange(endpoint, { refresh, showsErrors: true, onDone: () => notify({ text: done }) });
  if (refusal?.hides) return <p>Next, a returning officer presses “{act}”.</p>;
  return (
    <Stack gap={8}>
      <p>{words}</p>
      <FailureBanner failure={change.error} />
      <ButtonRow>
        <Button variant="commit" busy={change.isPending} refusal={refusal} onClick={() => change.mutate({ electionId })}>
          {act}
        </Button>
      </ButtonRow>
    </Stack>
  );
}

const linesOf = (text: string): string[] =>
  text
    .split(/[\s,;]+/)
    .map(line => line.trim())
    .filter(line => line !== '');

function AppointForm({ electionId, ballot, onClose }: { electionId: string; ballot: Ballot; onClose: () => void }) {
  const { authority, trustees, threshold } = ballot;
  const appoint = useChange(encryptedBallotSetup.appointTrustees, { refresh, showsErrors: true, onDone: onClose });
  const initial = {
    authority: authority?.email ?? '',
    trustees: trustees.map(({ email }) => email).join('\n'),
    threshold: trustees.length === 0 ? '2' : threshold === null ? '' : String(threshold),
  };
  const form = useForm(encryptedBallotSetup.appointTrustees.body, initial, {
    name: 'appoint',
    toBody: values => ({
      authority: values.authority,
      trustees: linesOf(values.trustees),
      threshold: values.threshold.trim() === '' ? null : Number(values.threshold),
    }),
    ifEmpty: { authority: 'Enter an e-mail address', trustees: 'Enter the e-mail address of at least one trustee' },
    fieldAt: place => place.replace(/^trustees\..*/, 'trustees'),
    change: appoint,
    send: body => appoint.mutate({ electionId, body }),
  });
  return (
    <ActForm form={form} label="Appoint authority and trustees" act="Appoint" onClose={onClose}>
      {authority !== null && <p>What those appointed before have sent is discarded, and everyone begins anew.</p>}
      <Field
        label="Credential authority"
        help="The e-mail address of a login. Someone who is not of the registry, such as an outside auditor: makes the voting codes and mails them."
        {...form.field('authority')}
      >
        <TextInput {...form.input('authority')} type="email" />
      </Field>
      <Field label="Trustees" help="E-mail addresses of logins, one a line. Three or five as a rule." {...form.field('trustees')}>
        <TextArea {...form.input('trustees')} rows={4} />
      </Field>
      <Field
        label="How many trustees decrypt"
        optional
        help="2 of 3, or 3 of 5, so that a lost key does no harm. Empty: each is needed."
        {...form.field('threshold')}
      >
        <TextInput {...form.input('threshold')} inputMode="numeric" maxLength={2} />
      </Field>
    </ActForm>
  );
}

/** The count begins once staff have read whose votes every sum gives away. */
function StartCount({ electionId, ballot: { readableVotes } }: { electionId: string; ballot: Ballot }) {
  const [read, setRead] = useState(false);
  const refusal = useRefusal(encryptedBallotSetup.startCount);
  const start = useChange(encryptedBallotSetup.startCount, { refresh, showsErrors: true });
  const classes = readableVotes ?? [];
  if (refusal?.hides) return <p>Voting is over. Next, a returning officer starts the count.</p>;
  return (
    <Stack gap={12}>
      <p>
        Voting is over, and the encrypted ballots are added up. Once a scrutineer approves it, the registry adds its part of the decryption,
        then the trustees decrypt the sums.
      </p>
      {classes.length > 0 && (
        <>
          <p>Whatever the result is, the sums give away how these voted:</p>
          <ul>
            {classes.map(({ votes, ballots }) => (
              <li key={votes}>
                {ballots === 1 ? 'the voter' : `the ${ballots} voters`} with {votes === 1 ? 'one vote' : `${votes} votes`}
              </li>
            ))}
          </ul>
          <Checkbox checked={read} onChange={event => setRead(event.target.checked)}>
            I have read whose votes the sums give away
          </Checkbox>
        </>
      )}
      <FailureBanner failure={start.error} />
      <ButtonRow>
        <Button
          variant="commit"
          busy={start.isPending}
          refusal={refusal ?? (classes.length > 0 && !read ? { reason: 'Confirm that you have read it' } : null)}
          onClick={() => start.mutate({ electionId, body: { readableVotes: classes.map(({ votes }) => votes) } })}
        >
          Start the count
        </Button>
      </ButtonRow>
    </Stack>
  );
}
