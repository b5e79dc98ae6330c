import type { Tally } from '@portal/contract/routes/routes';
import { formatCount, StateMark, Stat } from '@portal/ui';
import styles from './Routes.module.css';

const total = ({ valid, invalid, notFound }: Tally): number => valid + invalid + notFound;

function Bar({ tally }: { tally: Tally }) {
  const share = (count: number) => ({ width: `${(count / Math.max(1, total(tally))) * 100}%` });
  return (
    <div className={styles.bar} aria-hidden="true">
      {tally.valid > 0 && <i className={styles.valid} style={share(tally.valid)} />}
      {tally.invalid > 0 && <i className={styles.invalid} style={share(tally.invalid)} />}
      {tally.notFound > 0 && <i className={styles.notFound} style={share(tally.notFound)} />}
    </div>
  );
}

const change = (before: number, after: number | undefined) =>
  after === undefined || after === before ? formatCount(before) : `${formatCount(before)} → ${formatCount(after)}`;

/** How many announcements of the account's space are valid, invalid and not found; with `after`, also once a change is saved. */
export function Coverage({ tally, after }: { tally: Tally; after?: Tally | undefined }) {
  return (
    <div className={styles.coverage}>
      <Stat value={formatCount(total(tally))} unit={total(tally) === 1 ? 'announcement of your space' : 'announcements of your space'} />
      <div className={styles.bars}>
        <div className={styles.legend}>
          <span className="nw">
            <StateMark state="valid" plain>
              Valid
            </StateMark>{' '}
            {change(tally.valid, after?.valid)}
          </span>
          <span className="nw">
            <StateMark state="invalid" plain>
              Invalid
            </StateMark>{' '}
            {change(tally.invalid, after?.invalid)}
          </span>
          <span className="nw">
            <StateMark state="not-found" plain>
              Not found
            </StateMark>{' '}
            {change(tally.notFound, after?.notFound)}
          </span>
        </div>
        <Bar tally={tally} />
        {after && <Bar tally={after} />}
      </div>
    </div>
  );
}
