import type { StaffResourceRequest } from '@portal/contract/requests/desk';
import { Disclosure, StateMark } from '@portal/ui';
import { checkMarks, shownAs, sourceForStaff } from '../shell/cases/check-marks.ts';
import styles from './Request.module.css';

const markWords = { met: 'met', stated: 'stated, not checked', unmet: 'not met', review: 'to be judged', open: 'no answer' } as const;

/** The checks by the system: those to look at are open, those that are met are counted and folded. */
export function RequestChecks({ checks }: { checks: StaffResourceRequest['checks'] }) {
  const isMet = (check: StaffResourceRequest['checks'][number]): boolean => shownAs(check) === 'met';
  const [met, others] = [checks.filter(isMet), checks.filter(check => !isMet(check))];
  const list = (shown: StaffResourceRequest['checks']) => (
    <ul className={styles.people}>
      {shown.map(check => (
        <li key={check.checkId}>
          <StateMark state={checkMarks[shownAs(check)]} plain>
            {check.fact}: {markWords[shownAs(check)]}
          </StateMark>
          <div className={styles.beneath}>
            <div className="small">{check.known}</div>
            <div className="quiet small">
              Policy: {check.policy}. Source: {sourceForStaff(check.source)}
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
