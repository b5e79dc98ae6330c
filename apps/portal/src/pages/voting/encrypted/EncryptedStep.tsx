import { FailureBanner } from '@portal/app-kit';
import { Button, ProgressBar } from '@portal/ui';
import styles from './BallotSteps.module.css';
import type { StepGiven } from './ChooseStep.tsx';
import { Tracker } from './Tracker.tsx';

/** The third step: progress, then the tracker of the ballot that is not sent yet, and the choice between casting and checking it. */
export function EncryptedStep({ question, form, ballot }: StepGiven) {
  const { stage, casting, wasSent } = ballot;
  const sealed = <Sealed numbers={question.answers.length + 1} />;
  if (stage.at === 'encrypting')
    return (
      <>
        {sealed}
        <ProgressBar
          label="Encrypting"
          done={stage.done}
          {...(stage.all > 0 && { total: stage.all, words: `${stage.done} of ${stage.all}` })}
        />
        <p>On this device. Nothing has been sent.</p>
      </>
    );
  if (stage.at === 'opened') return <p>This ballot was opened for checking, so it can’t be cast. Encrypt a new one below.</p>;
  if (stage.at !== 'encrypted') return null;
  const { tracker } = stage.sealed;
  return (
    <>
      {sealed}
      <p>Encrypted on this device. The registry never sees which row is which.</p>
      <div>
        <p className={styles.label}>Tracker</p>
        <Tracker tracker={tracker} />
      </div>
      <FailureBanner failure={casting.error} />
      <div className={styles.end}>
        <Button variant="commit" busy={casting.isPending} onClick={() => void ballot.cast(tracker)}>
          {casting.error
            ? 'Send this ballot again'
            : `Cast ${form.votes === null ? 'the ballot' : form.votes === 1 ? 'one vote' : `${form.votes} votes`}`}
        </Button>
        {wasSent ? (
          casting.error && <Button onClick={() => ballot.goTo('review')}>Enter the code again</Button>
        ) : (
          <>
            <Button onClick={() => void ballot.check()} aria-describedby="check-instead">
              Check this ballot instead
            </Button>
            <p id="check-instead">Opens it and shows what is in it. It can’t be cast then.</p>
          </>
        )}
      </div>
    </>
  );
}

/** Rows of the ballot, which no one can tell apart. */
function Sealed({ numbers }: { numbers: number }) {
  return (
    <div className={styles.sealed} aria-hidden="true">
      {Array.from({ length: Math.min(numbers, 16) }, (_, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows of a drawing
        <i key={place} />
      ))}
    </div>
  );
}
