import { useChange, useKit } from '@portal/app-kit';
import { staffCases } from '@portal/contract/staff/cases';
import { type DeskHome, deskHome } from '@portal/contract/staff/desk-home';
import { Button, DateText, Icon, Link, Sheet } from '@portal/ui';
import styles from './Home.module.css';
import { caseNameOf, casePath } from '@portal/contract/staff/case-words';

/** Cases that the reader wanted to be reminded of today or before. A reminder stays until it is done. */
export function Reminders({ reminders }: Pick<DeskHome, 'reminders'>) {
  const { notify } = useKit();
  const remove = useChange(staffCases.removeReminder, {
    refresh: [deskHome.getDeskHome],
    onDone: () => notify({ text: 'The reminder is done.' }),
  });
  return (
    <Sheet flush title="Reminders" meta={<span>{reminders.length}</span>}>
      <ul>
        {reminders.map(({ reminderId, day, words, ...line }) => (
          <li key={reminderId} className={styles.line}>
            <span className={styles.lineIcon}>
              <Icon name="bell" />
            </span>
            <div className={styles.grow}>
              <Link href={casePath(line)} className={styles.strong}>
                <span className="mono">{caseNameOf(line)}</span>
              </Link>
              <span className={styles.quiet}>
                {[line.accountName, line.reference === null ? '' : line.asked].filter(Boolean).join(', ')}
              </span>
              {words && <span>{words}</span>}
            </div>
            <div className={styles.by}>
              <span>
                <DateText value={day} shape="date" />
              </span>
            </div>
            <Button
              size="s"
              icon="check"
              busy={remove.isPending}
              aria-label={`Reminder of ${caseNameOf(line)} is done`}
              onClick={() => remove.mutate({ kind: line.kind, caseId: line.caseId, reminderId })}
            >
              Done
            </Button>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}
