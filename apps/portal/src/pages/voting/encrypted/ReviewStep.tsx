import { useSession } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { noCall, useForm } from '@portal/app-kit/form/use-form';
import { TypedCode } from '@portal/contract/encrypted-ballots/casting';
import { electionKinds } from '@portal/contract/elections/elections';
import { Button, Checkbox, Field, Link, TextInput } from '@portal/ui';
import { useEffect, useRef, useState } from 'react';
import { useOtherVoters } from '../other-voters.ts';
import styles from './BallotSteps.module.css';
import type { StepGiven } from './ChooseStep.tsx';

const countVotes = (votes: number): string => (votes === 1 ? 'one vote' : `${votes} votes`);
const emptyWords = (empty: number, most: number): string =>
  empty === most ? 'I cast a blank ballot on purpose' : `I leave ${empty === 1 ? 'one place' : `${empty} places`} empty on purpose`;

/** Names those who can cast the same votes. */
function Others({ account }: { account: string }) {
  const others = useOtherVoters(account);
  return (
    others !== '' && (
      <>
        <bdi>{others}</bdi> can vote for {account} too: the first ballot counts for all of you.
      </>
    )
  );
}

/** The second step: the account, its votes and each choice; an empty place is asked about. The voter signs with the code of the account. */
export function ReviewStep({ question, form, election, account, ballot, isProxy, now }: StepGiven & { now: boolean }) {
  const { person } = useSession();
  const [onPurpose, setOnPurpose] = useState(false);
  const { chosen, code, setCode, problem, encrypt, goTo } = ballot;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (problem !== null) field.current?.focus();
  }, [problem]);
  const empty = question.most - chosen.length;
  const { fullName, email } = form.authority;
  const review = useForm(
    TypedCode,
    { code },
    {
      name: 'review',
      also: ['onPurpose'],
      draft: { value: { code }, set: values => setCode(values.code), discard: () => setCode('') },
      check: values => ({
        code: values.code.trim() === '' ? `Enter the code from the e-mail of ${fullName}, such as 5fx-vbR-eAe-jsC-Ywu` : undefined,
        onPurpose: empty > 0 && !onPurpose ? `Confirm the empty ${empty === 1 ? 'place' : 'places'}, or choose.` : undefined,
      }),
      change: noCall,
      send: () => void encrypt(),
    },
  );
  const slip = (
    <div className={styles.slip}>
      <dl>
        <dt>Account</dt>
        <dd>{account}</dd>
        <dt>Cast by</dt>
        <dd>
          <bdi>{person.fullName}</bdi>
        </dd>
        <dt className={styles.total}>Votes</dt>
        <dd className={styles.total}>{form.votes === null ? 'none' : `${form.votes} per ${electionKinds[election.kind].per}`}</dd>
        {Array.from({ length: question.most }, (_, place) => {
          const choice = chosen.toSorted((a, b) => a - b)[place];
          return [
            // biome-ignore lint/suspicious/noArrayIndexKey: places of the ballot, in their order
            <dt key={`${place}-key`}>{question.most === 1 ? 'Choice' : place + 1}</dt>,
            // biome-ignore lint/suspicious/noArrayIndexKey: places of the ballot, in their order
            <dd key={place}>
              {choice === undefined ? (
                <span className={styles.warning}>{question.most === 1 ? 'blank' : 'left empty'}</span>
              ) : (
                <bdi>{question.answers[choice]}</bdi>
              )}
            </dd>,
          ];
        })}
      </dl>
    </div>
  );
  if (!now) return slip;
  const { error: refusedCode, ...codeField } = review.field('code');
  const { id, error: unconfirmed } = review.field('onPurpose');
  return (
    <Form form={review} label="Review your ballot" bare>
      <div className={styles.fill}>
        {slip}
        <Field
          label="Voting code"
          help={
            <>
              15 characters, sent by {fullName} by e-mail to {isProxy ? `the proxy of ${account}` : `those who vote for ${account}`}. Lost
              it? <Link href={`mailto:${email}`}>Write to {fullName}</Link>
            </>
          }
          error={problem ?? refusedCode}
          {...codeField}
        >
          <TextInput ref={field} mono {...review.input('code')} spellCheck={false} autoCapitalize="off" />
        </Field>
        <div className={styles.end}>
          <p>A cast ballot is final. {!isProxy && <Others account={account} />}</p>
          {empty > 0 && (
            <Checkbox
              id={id}
              checked={onPurpose}
              onChange={event => setOnPurpose(event.target.checked)}
              aria-invalid={unconfirmed !== undefined || undefined}
            >
              {emptyWords(empty, question.most)}
            </Checkbox>
          )}
          <output>{unconfirmed && <span className={styles.warning}>{unconfirmed}</span>}</output>
          <Button type="submit" variant="primary">
            Encrypt {form.votes === null ? 'the ballot' : countVotes(form.votes)}
          </Button>
          <Button onClick={() => goTo('choose')}>Change choices</Button>
        </div>
      </div>
    </Form>
  );
}
