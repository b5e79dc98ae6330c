import type { StaffResourceRequest } from '@portal/contract/requests/desk';
import { Disclosure, StateMark } from '@portal/ui';
import { checkMarks, sourceForStaff } from '../shell/cases/check-marks.ts';
import styles from './Request.module.css';

const markWords = { met: 'met', unmet: 'not met', review: 'to be judged', open: 'no answer' } as const;

/** The checks by the system: those to look at are open, those that are met are counted and folded. */
export function RequestChecks({ checks }: { checks: StaffResourceRequest['checks'] }) {
  const [met, others] = [checks.filter(({ state }) => state === 'met'), checks.filter(({ state }) => state !== 'met')];
  const list = (shown: StaffResourceRequest['checks']) => (
    <ul className={styles.people}>
      {shown.map(({ checkId, fact, known, source, state, policy }) => (
        <li key={checkId}>
          <StateMark state={checkMarks[state]} plain>
            {fact}: {markWords[state]}
          </StateMark>
          <div className={styles.beneath}>
            <div className="small">{known}</div>
            <div className="quiet small">
              Policy: {policy}. Source: {sourceForStaff(source)}
            </div>
          </div>
        </li>
      ))}
    </ul>
  );
  return (
    <>
      {others.length > 0 && list(others)}
      {met.length > 0 && (
        <Disclosure
          summary={
            <StateMark state="valid" plain>
              {others.length === 0 ? `All ${met.length} are met` : met.length === 1 ? '1 more is met' : `${met.length} more are met`}
            </StateMark>
          }
        >
          {list(met)}
        </Disclosure>
      )}
    </>
  );
}
