import type { RequestKind } from '@portal/contract/requests/request-form';
import type { RequestCheck } from '@portal/contract/requests/requests';
import { Disclosure, formatCount, Link, Sheet, StateMark } from '@portal/ui';
import { checkMarks } from '../shell/case-words.ts';
import { PolicyLink } from './PolicyLink.tsx';
import styles from './Requests.module.css';

/** Lists the checks of the registry: the fact, what is known and where from, and whether policy is met. */
export function Checklist({ checks, kind, title = 'Eligibility' }: { checks: readonly RequestCheck[]; kind: RequestKind; title?: string }) {
  const met = checks.filter(({ state }) => state === 'met');
  const folds = met.length > MET;
  const open = folds ? checks.filter(({ state }) => state !== 'met') : checks;
  return (
    <Sheet title={title} meta={`${met.length} of ${checks.length} met`} flush>
      {open.length > 0 && <Checks checks={open} kind={kind} />}
      {folds && (
        <div className={styles.inset}>
          <Disclosure summary={open.length === 0 ? `All ${formatCount(met.length)} are met` : `${formatCount(met.length)} are met`}>
            <Checks checks={met} kind={kind} />
          </Disclosure>
        </div>
      )}
    </Sheet>
  );
}

/** Met checks are listed openly up to this number; more are listed on demand. */
const MET = 6;

const Checks = ({ checks, kind }: { checks: readonly RequestCheck[]; kind: RequestKind }) => (
  <ul className={styles.checks}>
    {checks.map(check => {
      const { checkId, fact, known, source, state, fix } = check;
      return (
        <li key={checkId}>
          <div>
            <div className="strong">{fact}</div>
            <div className="small">{known}</div>
            <div className="small quiet">
              Source: {source}. Policy: <PolicyLink check={check} kind={kind} />
            </div>
            {state === 'unmet' && fix && (
              <div className="small">
                <Link href={fix.path}>{fix.label}</Link>
              </div>
            )}
          </div>
          <StateMark state={checkMarks[state].state}>{checkMarks[state].words}</StateMark>
        </li>
      );
    })}
  </ul>
);
