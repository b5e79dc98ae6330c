import type { MemberElection } from '@portal/contract/elections/voting';
import { Button, Checkbox, Disclosure } from '@portal/ui';
import { useId, useState } from 'react';
import styles from './BallotSteps.module.css';
import type { BallotForm, BallotQuestion } from './cast-ballot.ts';
import { Points } from './Points.tsx';
import type { BallotInHand } from './use-ballot.ts';

/** An election as its ballot needs it. */
export type BallotElection = Pick<MemberElection, 'electionId' | 'title' | 'kind'>;
/** Facts that each step of a ballot is given. */
export type StepGiven = {
  question: BallotQuestion;
  form: BallotForm;
  election: BallotElection;
  account: string;
  ballot: BallotInHand;
  isProxy: boolean;
};

/** The first step: one answer of several, or candidates up to the number of seats. Later it shows what was chosen. */
export function ChooseStep({ question: { answers, most }, form: { statements }, ballot, now }: StepGiven & { now: boolean }) {
  const { chosen, choose, goTo } = ballot;
  const [over, setOver] = useState(false);
  const name = useId();
  const toggle = (place: number, on: boolean) => {
    if (most === 1) return choose(on ? [place] : []);
    if (on && chosen.length >= most) return setOver(true);
    setOver(false);
    choose(on ? [...chosen, place] : chosen.filter(each => each !== place));
  };
  if (!now) return <Chosen answers={answers} chosen={chosen} />;
  const legend = most === 1 ? 'Choose one' : `Choose up to ${most}`;
  return (
    <>
      <fieldset className={styles.candidates}>
        <legend>{legend}</legend>
        {answers.map((answer, place) => (
          <div key={answer}>
            {most === 1 ? (
              <label className={styles.radio}>
                <input type="radio" name={name} checked={chosen.includes(place)} onChange={() => toggle(place, true)} />
                <bdi>{answer}</bdi>
              </label>
            ) : (
              <Checkbox checked={chosen.includes(place)} onChange={event => toggle(place, event.target.checked)}>
                <bdi>{answer}</bdi>
              </Checkbox>
            )}
            {statements[place] && (
              <Disclosure
                summary={
                  <span>
                    Statement<span className="vh"> of {answer}</span>
                  </span>
                }
              >
                <p className={styles.statement}>{statements[place]}</p>
              </Disclosure>
            )}
          </div>
        ))}
        {most === 1 && (
          <label className={styles.radio}>
            <input type="radio" name={name} checked={chosen.length === 0} onChange={() => choose([])} />
            <span>Blank: none of them</span>
          </label>
        )}
      </fieldset>
      <div className={styles.end}>
        <output>{over && <span className={styles.warning}>You have chosen {most}. Remove one to choose another.</span>}</output>
        <Button variant="primary" onClick={() => goTo('review')}>
          Review
        </Button>
      </div>
    </>
  );
}

/** Choices that can’t be changed here any more. */
function Chosen({ answers, chosen }: { answers: readonly string[]; chosen: readonly number[] }) {
  if (chosen.length === 0) return <p>Blank ballot</p>;
  return (
    <Points>
      {chosen
        .toSorted((a, b) => a - b)
        .map(place => (
          <bdi key={place}>{answers[place]}</bdi>
        ))}
    </Points>
  );
}
