import { useKit } from '@portal/app-kit';
import { Button, classNames, CopyButton, Icon, LinkButton, Sheet, Stack, StateMark } from '@portal/ui';
import { saveTextFile } from '@portal/app-kit/documents/save-text-file';
import { type ReactNode, useEffect, useRef } from 'react';
import { BallotLookup } from './BallotLookup.tsx';
import styles from './BallotSteps.module.css';
import { type BallotForm, type CastBallot, questionOf, receiptText } from './cast-ballot.ts';
import { type BallotElection, ChooseStep } from './ChooseStep.tsx';
import { EncryptedStep } from './EncryptedStep.tsx';
import { OpenedBallot } from './OpenedBallot.tsx';
import { Points } from './Points.tsx';
import { ReviewStep } from './ReviewStep.tsx';
import { Tracker } from './Tracker.tsx';
import { type BallotCasting, useBallot } from './use-ballot.ts';

type Given = {
  account: string;
  election: BallotElection;
  form: BallotForm;
  casting: BallotCasting;
  cast: CastBallot | null;
  onSend: (tracker: string) => void;
  /** It is cast by the proxy of the account. */
  isProxy?: boolean;
};

/** A ballot in four steps: choose, review, encrypted, cast. */
export function BallotSteps({ account, election, form, casting, cast, onSend, isProxy = false }: Given) {
  const { electionId } = election;
  const question = questionOf(form.parameters);
  const ballot = useBallot({ form, casting, cast, onSend });
  const { at } = ballot.stage;
  const now = cast ? 4 : at === 'choose' ? 1 : at === 'review' ? 2 : 3;
  const given = { question, form, election, account, ballot, isProxy };
  return (
    <Stack gap={16}>
      <Sheet flush aria-label="Your ballot in four steps">
        <ol className={styles.steps}>
          <Step number={1} now={now} title="Choose" aside={`${ballot.chosen.length} of ${question.most}`}>
            <ChooseStep {...given} now={now === 1} />
          </Step>
          <Step number={2} now={now} title="Review">
            {now === 1 ? (
              <p>Your choices, the account and its votes. You enter your voting code here.</p>
            ) : (
              <ReviewStep {...given} now={now === 2} />
            )}
          </Step>
          <Step
            number={3}
            now={now}
            title="Encrypted"
            aside={now === 3 && at === 'encrypted' && <StateMark state="pending">Not sent</StateMark>}
          >
            {now < 3 ? (
              <p>The ballot is encrypted on this device. You can then cast it, or open it to check it.</p>
            ) : cast ? (
              <p>The registry received the encrypted ballot. The key that opens it is divided between trustees, who decrypt sums only.</p>
            ) : (
              <EncryptedStep {...given} />
            )}
          </Step>
          <Step number={4} now={now} title="Cast" aside={cast && <StateMark state="valid">In the box</StateMark>}>
            {cast ? (
              <CastStep account={account} election={election} cast={cast} />
            ) : (
              <p>You get a tracker. It shows that your ballot is in the box, not what is in it.</p>
            )}
          </Step>
        </ol>
      </Sheet>
      {ballot.stage.at === 'opened' && <OpenedBallot {...given} opened={ballot.stage.opened} />}
      {cast && <BallotLookup electionId={electionId} known={cast.tracker} />}
    </Stack>
  );
}

/** One step: over, now or ahead. The step that begins gets the focus, so that it is read out. */
function Step({
  number,
  now,
  title,
  aside,
  children,
}: {
  number: number;
  now: number;
  title: string;
  aside?: ReactNode;
  children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(now);
  useEffect(() => {
    // A field that was refused has the focus already.
    if (now === number && before.current !== now && !heading.current?.parentElement?.contains(document.activeElement)) {
      heading.current?.focus({ preventScroll: true });
      heading.current?.scrollIntoView({ block: 'nearest' });
    }
    before.current = now;
  }, [now, number]);
  return (
    <li
      className={classNames(styles.step, number < now && styles.done, number === now && styles.now)}
      aria-current={number === now ? 'step' : undefined}
    >
      <h2 ref={heading} tabIndex={-1}>
        <i aria-hidden="true">{number < now ? <Icon name="check" /> : number}</i>
        {title}
        {number < now && <span className="vh">, done</span>}
        {aside && <span className={styles.aside}>{aside}</span>}
      </h2>
      {children}
    </li>
  );
}

function CastStep({ account, election, cast }: Pick<Given, 'account' | 'election'> & { cast: CastBallot }) {
  const { appUrl } = useKit().environment;
  return (
    <>
      <p>Your tracker</p>
      <Tracker tracker={cast.tracker} />
      <Points>
        {[
          `${cast.votes === 1 ? 'One vote is' : `${cast.votes} votes are`} cast for ${account}. That is final.`,
          'The tracker proves that your ballot is in the box.',
          'It doesn’t show what you chose.',
        ]}
      </Points>
      <div className={styles.end}>
        <Button
          icon="download"
          onClick={() => saveTextFile(`receipt-${account}-${election.electionId}.txt`, receiptText(election, account, cast, appUrl))}
        >
          Save receipt
        </Button>
        <CopyButton text={receiptText(election, account, cast, appUrl)} label="Copy receipt">
          Copy receipt
        </CopyButton>
        <LinkButton href={`/elections/${election.electionId}`} target="_blank">
          See it in the public box <Icon name="external" />
        </LinkButton>
      </div>
    </>
  );
}
