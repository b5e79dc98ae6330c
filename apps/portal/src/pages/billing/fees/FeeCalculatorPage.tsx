import { Page, useAccount, useAnswer, useDownload, useMaybeSession, useSteadyAnswer } from '@portal/app-kit';
import { invoiceDay, money } from '@portal/app-kit/words/billing-words';
import { type CountedHoldings, type FeeEstimates, feeEstimates } from '@portal/contract/billing/fee-estimates';
import { pages } from '@portal/contract/pages';
import { Banner, Button, CopyButton, classNames, DateText, groupDigits, Row, Sheet } from '@portal/ui';
import styles from './FeeCalculatorPage.module.css';
import { FeeCurve } from './FeeCurve.tsx';
import { FeeForm } from './FeeForm.tsx';
import { FeeSteps } from './FeeSteps.tsx';
import { callsOf, useFeeQuestion } from './fee-question.ts';
import { maxRows } from './holding-rows.ts';
import { saveEstimate } from './save-estimate.ts';

/** Calculates the fee of a membership for holdings that the person enters, starting with those of their account. Open to everyone who is signed in. */
export default function FeeCalculatorPage() {
  return useMaybeSession()?.account ? <OfAccount /> : <Calculator account={null} held={null} />;
}

function OfAccount() {
  const { accountName: account } = useAccount();
  return <Calculator key={account} account={account} held={useAnswer(feeEstimates.getCountedHoldings, { account })} />;
}

function Calculator({ account, held }: { account: string | null; held: CountedHoldings | null }) {
  const { question, leftOut, change, reset } = useFeeQuestion(held);
  const calls = callsOf(question, held);
  const { answer, stale } = useSteadyAnswer(feeEstimates.getFeeEstimate, calls.asked);
  const own = useSteadyAnswer(feeEstimates.getFeeEstimate, calls.own ?? calls.asked);
  const now = calls.own ? own.answer : null;
  const savePdf = useDownload(feeEstimates.downloadFeeEstimate);
  return (
    <Page
      title={pages.annualFeeCalculator.title}
      sub={
        held?.begins ? (
          <>
            An estimate. The invoice counts what {account} holds on its anniversary, before{' '}
            <DateText value={held.begins} shape="date" format={invoiceDay} />.
          </>
        ) : (
          'An estimate. The invoice counts what is held on the anniversary of the membership.'
        )
      }
      actions={
        <Row gap={6} wrap className={styles.actions}>
          <CopyButton text={window.location.href} label="Copy a link to this calculation" />
          <Button size="s" onClick={() => window.print()}>
            Print
          </Button>
          <Button size="s" icon="download" onClick={() => void savePdf(calls.asked)}>
            PDF
          </Button>
          <Button size="s" icon="download" onClick={() => saveEstimate(answer, now)}>
            CSV
          </Button>
        </Row>
      }
    >
      {leftOut > 0 && (
        <Banner kind="warning" title={`The link has ${leftOut} ${leftOut === 1 ? 'block' : 'blocks'} too many.`}>
          At most {maxRows} blocks of a family are calculated. Combine equal blocks, such as /24*3.
        </Banner>
      )}
      <div className={styles.page}>
        <FeeForm question={question} held={held} choices={answer.choices} schedule={answer.estimate} change={change} reset={reset} />
        <div className={classNames(styles.result, stale && styles.stale)} aria-busy={stale}>
          <FeeCurve answer={answer} now={now} />
          <div className={styles.halves}>
            <FeeSteps answer={answer} />
            <Total answer={answer} now={now} />
          </div>
        </div>
      </div>
    </Page>
  );
}

const yearOf = ({ begins }: { begins: string }): string => begins.slice(0, 4);

/** Cents of an amount such as `2137.32`. */
const centsOf = (amount: string): bigint => BigInt(amount.replace('.', ''));
/** The difference of two amounts, with its sign; empty where there is none. */
function differenceOf(after: string, before: string): string {
  const cents = centsOf(after) - centsOf(before);
  if (cents === 0n) return '';
  const size = cents < 0n ? -cents : cents;
  return `${cents < 0n ? '−' : '+'} ${groupDigits(`${size / 100n}.${String(size % 100n).padStart(2, '0')}`)}`;
}

function Total({ answer, now }: { answer: FeeEstimates; now: FeeEstimates | null }) {
  const { estimate, years, transferFee } = answer;
  const { currency, total, votes, projected } = estimate;
  const difference = now ? differenceOf(total, now.estimate.total) : '';
  const votesNow = now?.estimate.votes ?? votes;
  return (
    <Sheet flush aria-label="Estimate">
      <div className={styles.total} aria-live="polite">
        <span className="small quiet">
          {projected ? 'Projected' : 'Estimate'} for a year that begins in {yearOf(estimate)}
          {estimate.taxRate === null ? '' : ', with tax'}
        </span>
        <p className={styles.sum}>
          <b>{money(currency, total)}</b>
          {difference && <span className={styles.change}>{difference}</span>}
        </p>
        <p className="small muted">
          {difference && now ? `Now ${money(currency, now.estimate.total)}. ` : ''}
          {votes === votesNow
            ? `${votes === 1 ? '1 vote' : `${votes} votes`} per candidate.`
            : `Votes per candidate: ${votes} instead of ${votesNow}.`}
        </p>
        {transferFee !== null && (
          <p className="small muted">
            And {money(currency, transferFee)} once for the transfer, paid by its recipient before it completes.
          </p>
        )}
        {projected && <p className="small muted">The fees of {yearOf(estimate)} are not announced yet.</p>}
      </div>
      <dl className={styles.years}>
        {years.map(each => {
          const then = now?.years.find(({ begins }) => begins === each.begins);
          return (
            <div key={each.begins}>
              <dt className="small quiet">
                {yearOf(each)}
                {each.projected && ', projected'}
              </dt>
              <dd>
                <b>{money('', each.total).trim()}</b>
                {then && then.total !== each.total && <span className="small quiet">now {money('', then.total).trim()}</span>}
              </dd>
            </div>
          );
        })}
      </dl>
    </Sheet>
  );
}
