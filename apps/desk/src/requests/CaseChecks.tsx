import type { StaffResourceRequest } from '@portal/contract/requests/desk';
import { Segmented, Sheet, StateMark } from '@portal/ui';
import { type ReactNode, useState } from 'react';
import styles from '../shell/cases/Case.module.css';
import { checkMarks, sourceForStaff } from '../shell/cases/check-marks.ts';

type Check = StaffResourceRequest['checks'][number];
const markWords = { met: 'Met', unmet: 'Not met', review: 'Review', open: 'No answer' } as const;

/**
 * Facts that the rule needs: of each what the member says, what the registry found and where, and the policy. Those to look at are marked, and can be shown alone.
 * @param saidOf what the member answered to what a check rules
 * @param children answers that no check rules
 */
export function CaseChecks({
  checks,
  saidOf,
  children,
}: {
  checks: readonly Check[];
  saidOf: (check: Check) => ReactNode;
  children?: ReactNode;
}) {
  const [which, setWhich] = useState<'all' | 'others'>('all');
  const others = checks.filter(({ state }) => state !== 'met');
  const shown = which === 'all' || others.length === 0 ? checks : others;
  const said = saidOnce(shown, saidOf);
  return (
    <Sheet
      flush
      title={children ? 'Request and checks' : 'Checks'}
      meta={checks.length > 0 && <ChecksInWords checks={checks} />}
      actions={
        others.length > 0 && (
          <Segmented
            label="Checks shown"
            value={which}
            options={[
              { value: 'all', label: `All ${checks.length}` },
              { value: 'others', label: `To look at ${others.length}` },
            ]}
            onChange={setWhich}
          />
        )
      }
    >
      {checks.length > 0 && (
        <table className={styles.checks}>
          <caption className="vh">Checks of the request</caption>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Member says</th>
              <th scope="col">What we found</th>
              <th scope="col">Policy</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(check => (
              <tr key={check.checkId} data-state={check.state}>
                <th scope="row">
                  {check.fact}
                  <StateMark plain state={checkMarks[check.state]}>
                    {markWords[check.state]}
                  </StateMark>
                </th>
                <td data-label="Member says">{said.get(check.checkId)}</td>
                <td data-label="What we found">
                  {isOwnAnswer(check) && said.get(check.checkId) === check.known ? (
                    <span className={styles.source}>Only the member’s answer</span>
                  ) : (
                    <>
                      {check.known} <span className={styles.source}>{sourceForStaff(check.source)}</span>
                    </>
                  )}
                </td>
                <td data-label="Policy" className={styles.policy} data-state={check.state}>
                  {check.policy}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {children && <div className={styles.unruled}>{children}</div>}
    </Sheet>
  );
}

/** Whether the registry knows of a fact only what the member answered. */
const isOwnAnswer = ({ source, state }: Check): boolean => state !== 'unmet' && source.startsWith('Your answer');

/** Returns what the member says to each check: of what only they answered, that. An answer that several checks rule is shown with the first of them. */
function saidOnce(checks: readonly Check[], saidOf: (check: Check) => ReactNode): ReadonlyMap<string, ReactNode> {
  const said = (check: Check): ReactNode => saidOf(check) || (isOwnAnswer(check) ? check.known : '');
  const seen = new Set<ReactNode>();
  // Those without anything else to show keep their answer.
  const shown = new Map<string, ReactNode>();
  for (const check of checks.toSorted((one, other) => Number(isOwnAnswer(other)) - Number(isOwnAnswer(one)))) {
    const words = said(check);
    shown.set(check.checkId, isOwnAnswer(check) || !seen.has(words) ? words : null);
    seen.add(words);
  }
  return shown;
}

/** How many checks are met, to be judged and not met. */
function ChecksInWords({ checks }: { checks: readonly Check[] }) {
  const count = (...states: Check['state'][]): number => checks.filter(({ state }) => states.includes(state)).length;
  const [met, review, unmet] = [count('met'), count('review'), count('unmet', 'open')];
  return (
    <>
      {met > 0 && (
        <StateMark plain state="valid">
          {met} met
        </StateMark>
      )}
      {review > 0 && (
        <StateMark plain state="warning">
          {review} to review
        </StateMark>
      )}
      {unmet > 0 && (
        <StateMark plain state="invalid">
          {unmet} not met
        </StateMark>
      )}
    </>
  );
}
