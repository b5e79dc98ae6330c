import type { RecordMark } from '@portal/contract/records/records';
import { Link, Sheet, StateMark } from '@portal/ui';
import rowStyles from '../RowList.module.css';
import styles from './ResourceRecord.module.css';

const markWords: Record<RecordMark['mark'], string> = { valid: 'Good', info: 'Note', warning: 'Check', invalid: 'Errors' };

const weight: Record<RecordMark['mark'], number> = { invalid: 0, warning: 1, info: 2, valid: 3 };

/** Results of the checks of the numbers, errors first, each with the page that fixes it. */
export function RecordChecks({ marks }: { marks: readonly RecordMark[] }) {
  return (
    <Sheet title="State" flush>
      {marks.length === 0 ? (
        <p className={styles.part}>No problems found.</p>
      ) : (
        <ul className={rowStyles.list} aria-label="Checks">
          {marks
            .toSorted((a, b) => weight[a.mark] - weight[b.mark])
            .map(({ mark, code, message, fix }) => (
              <li key={code + message}>
                <span className={rowStyles.mark}>
                  <StateMark state={mark}>{markWords[mark]}</StateMark>
                </span>
                <span className={rowStyles.words}>
                  {message}. {fix && <Link href={fix.link}>{fix.label}</Link>}
                </span>
              </li>
            ))}
        </ul>
      )}
    </Sheet>
  );
}
