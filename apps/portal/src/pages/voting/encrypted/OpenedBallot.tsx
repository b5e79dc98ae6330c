import { saveTextFile } from '@portal/app-kit/documents/save-text-file';
import { Badge, Button, ButtonRow, Icon, Link, Sheet, StateMark } from '@portal/ui';
import { useEffect, useRef } from 'react';
import type { OpenBallot } from './ballot-tasks.ts';
import styles from './OpenedBallot.module.css';
import type { StepGiven } from './ChooseStep.tsx';
import { Points } from './Points.tsx';
import { Tracker } from './Tracker.tsx';

const short = (number: string): string => (number.length < 14 ? number : `${number.slice(0, 5)}…${number.slice(-5)}`);

/** A ballot that was opened instead of being cast: what is in it, with which random numbers, and how others check it. */
export function OpenedBallot({ question: { answers }, election, ballot, opened }: StepGiven & { opened: OpenBallot }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), []);
  const { tracker, numbers, holds, file } = opened;
  const names = ['Blank', ...answers];
  return (
    <div ref={place} tabIndex={-1}>
      <Sheet
        title="Check this ballot instead"
        meta={
          <>
            <Badge kind="line">Opened: can’t be cast</Badge>
            <span>See that the page encrypts what you choose, as often as you like</span>
          </>
        }
        flush
      >
        <div className={styles.parts}>
          <div>
            <Points icon="info">
              {[
                'Note the tracker before you open a ballot: the page can’t know then that you will check it.',
                'An opened ballot shows the choices. Check with made-up ones, and vote with a new ballot.',
              ]}
            </Points>
            <Tracker tracker={tracker} />
            <ButtonRow>
              <Button variant="primary" onClick={() => ballot.goTo('choose')}>
                Make a new ballot
              </Button>
              <Button icon="download" onClick={() => saveTextFile(`opened-ballot-${election.electionId}.json`, file)}>
                Save opened ballot
              </Button>
            </ButtonRow>
          </div>
          <div>
            <table className={styles.opened}>
              <caption className="vh">What is in the opened ballot</caption>
              <thead>
                <tr>
                  <th scope="col">Answer</th>
                  <th scope="col">Says</th>
                  <th scope="col">Random number</th>
                  <th scope="col">Encrypts again</th>
                </tr>
              </thead>
              <tbody>
                {numbers.map(({ value, randomness }, index) => (
                  <tr key={names[index]}>
                    <th scope="row">
                      <bdi>{names[index]}</bdi>
                    </th>
                    <td>{value}</td>
                    <td className="mono" title={randomness}>
                      {short(randomness)}
                    </td>
                    <td>{holds ? <Icon name="valid" label="Equal" /> : <Icon name="invalid" label="Different" />}</td>
                  </tr>
                ))}
              </tbody>
            </table>
            <ul className={styles.checks}>
              <li>
                {holds ? (
                  <StateMark state="valid" plain>
                    This page: the ballot contains what is shown
                  </StateMark>
                ) : (
                  <StateMark state="invalid" plain>
                    This page: the ballot contains something else. Don’t vote here, and write to the returning officer
                  </StateMark>
                )}
              </li>
              <li>
                <Link href="/elections/check-ballot.html" download>
                  Save the second verifier
                </Link>
                : one file without our programs, which works offline. Open it, and choose the opened ballot.
              </li>
            </ul>
          </div>
        </div>
      </Sheet>
    </div>
  );
}
