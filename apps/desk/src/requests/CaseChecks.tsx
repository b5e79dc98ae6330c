import type { StaffResourceRequest } from '@portal/contract/requests/desk';
import { Button, Sheet, StateMark } from '@portal/ui';
import { type ReactNode, useState } from 'react';
import styles from '../shell/cases/Case.module.css';
import { checkMarks, type ShownCheck, shownAs, sourceForStaff } from '../shell/cases/check-marks.ts';

type Check = StaffResourceRequest['checks'][number];
const markWords = { met: 'Met', stated: 'Stated, not checked', unmet: 'Not met', review: 'Review', open: 'No answer' } as const;
/**
 * Facts that the rule needs: of each what the member says, what the registry found and where, and the policy. Those to look at come first and are marked;
 * an answer that nothing was checked against is one of them. Those that are met are one line that opens.
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
  const [isUnfolded, setUnfolded] = useState(false);
  const others = checks.filter(check => shownAs(check) !== 'met');
  const met = checks.filter(check => shownAs(check) === 'met');
  // One line for one check would say less than the check does.
  const folds = met.length > 1;
  const shown = folds && !isUnfolded ? others : [...others, ...met];
  const said = saidOnce(shown, saidOf);
  const row = (check: Check) => <CheckRow key={check.checkId} check={check} said={said.get(check.checkId)} />;
  return (
    <Sheet flush title={children ? 'Request and checks' : 'Checks'} meta={<ChecksInWords checks={folds ? others : checks} />}>
      {checks.length > 0 && (
        <table className={styles.checks}>
          <caption className="vh">Checks of the request</caption>
          {shown.length > 0 && (
            <thead>
              <tr>
                <th scope="col">Field</th>
                <th scope="col">Member says</th>
                <th scope="col">What we found</th>
                <th scope="col">Policy</th>
              </tr>
            </thead>
          )}
          <tbody>
            {others.map(row)}
            {folds && (
              <tr data-state="met">
                <th scope="row">
                  <StateMark plain state="valid">
                    {others.length === 0 ? `All ${met.length} met` : `${met.length} met`}
                  </StateMark>
                </th>
                <td colSpan={3} className={styles.folded}>
                  <Button size="s" aria-expanded={isUnfolded} onClick={() => setUnfolded(!isUnfolded)}>
                    {isUnfolded ? 'Fold them' : `Show all ${met.length}`}
                  </Button>
                  {inOneLine(met)}
                </td>
              </tr>
            )}
            {(isUnfolded || !folds) && met.map(row)}
          </tbody>
        </table>
      )}
      {children && <div className={styles.unruled}>{children}</div>}
    </Sheet>
  );
}

/** One check: its fact, what the member says, what was found, and the policy. */
function CheckRow({ check, said }: { check: Check; said: ReactNode }) {
  const state = shownAs(check);
  return (
    <tr data-state={state}>
      <th scope="row">
        {check.fact}
        <StateMark plain state={checkMarks[state]}>
          {markWords[state]}
        </StateMark>
      </th>
      <td data-label="Member says">{said}</td>
      <td data-label="What we found">
        {isOwnAnswer(check) && said === check.known ? (
          <span className={styles.source}>{check.source === 'Your answer' ? 'Only the member’s answer' : 'As asked for'}</span>
        ) : (
          <>
            {check.known} <span className={styles.source}>{sourceForStaff(check.source)}</span>
          </>
        )}
      </td>
      <td data-label="Policy" className={styles.policy} data-state={state}>
        {check.policy}
      </td>
    </tr>
  );
}

/** The met checks of a request in one sentence: `Account is open, no overdue invoice`. */
const inOneLine = (checks: readonly Check[]): string =>
  checks.map(({ fact }, place) => (place === 0 ? fact : fact.charAt(0).toLowerCase() + fact.slice(1))).join(', ');

/** Whether the registry knows of a fact only what the member answered or asked for. */
const isOwnAnswer = ({ source, state }: Check): boolean => state !== 'unmet' && /^Your (answer|request)/.test(source);

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

/** How many checks are met, stated only, to be judged and not met. */
function ChecksInWords({ checks }: { checks: readonly Check[] }) {
  const count = (...states: ShownCheck[]): number => checks.filter(check => states.includes(shownAs(check))).length;
  const [met, stated, review, unmet] = [count('met'), count('stated'), count('review'), count('unmet', 'open')];
  return (
    <>
      {met > 0 && (
        <StateMark plain state="valid">
          {met} met
        </StateMark>
      )}
      {stated > 0 && (
        <StateMark plain state="info">
          {stated} stated
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
