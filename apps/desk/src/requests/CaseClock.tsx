import type { StaffResourceRequest } from '@portal/contract/requests/desk';
import { formatCount } from '@portal/ui';
import styles from '../shell/cases/Case.module.css';
import { hoursInWords } from '../shell/hours-words.ts';
import { OfficeTime } from '../shell/OfficeTime.tsx';

/** How much of the promised time is left, until when the answer is promised, and how long answers usually take. Nothing while the case waits for someone else. */
export function CaseClock({ request: { waitsSince, dueAt, workingHours, promiseHours, medianDays } }: { request: StaffResourceRequest }) {
  if (waitsSince === null || dueAt === null) return null;
  const share = Math.min(1, workingHours / promiseHours);
  const isLate = workingHours > promiseHours;
  return (
    <section className={styles.clock} aria-label="Promised answer" data-late={isLate || undefined}>
      <p className={styles.clockFigure}>
        <b>{hoursInWords(promiseHours - workingHours)}</b>
        <span>
          {isLate ? 'past the promised' : 'left of the promised'} {formatCount(promiseHours)} working hours
        </span>
      </p>
      <div className={styles.clockLine} aria-hidden="true">
        <span className={styles.clockUsed} style={{ inlineSize: `${share * 100}%` }} />
        <i style={{ insetInlineStart: `${share * 100}%` }} />
      </div>
      {medianDays !== null && (
        <p className={styles.clockFigure}>
          <b>{medianDays === 1 ? '1 day' : `${formatCount(medianDays)} days`}</b>
          <span>median of 30 days</span>
        </p>
      )}
      <p className={styles.clockEnds}>
        <span>
          with us since <OfficeTime value={waitsSince} />
        </span>
        <span>
          promised by <OfficeTime value={dueAt} />
        </span>
      </p>
    </section>
  );
}
