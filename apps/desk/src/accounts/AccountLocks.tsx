import { useAnswer, useChange, useKit, useRefusal } from '@portal/app-kit';
import { LockWords } from '@portal/app-kit/resources/LockWords';
import { resourceLocks } from '@portal/contract/resources/locks';
import { Button, Sheet } from '@portal/ui';
import styles from './AccountPage.module.css';

/** The locks of an account, and releases that wait for a second person: registry staff confirm where the account has none. */
export function AccountLocks({ accountName }: { accountName: string }) {
  const { notify } = useKit();
  const { rows } = useAnswer(resourceLocks.listStaffLocks, { accountName });
  const refusal = useRefusal(resourceLocks.confirmStaffRelease);
  const confirm = useChange(resourceLocks.confirmStaffRelease, {
    refresh: [resourceLocks.listStaffLocks],
    onDone: () => notify({ text: 'The release is confirmed. The corporate contacts get an e-mail.' }),
  });
  if (rows.length === 0) return null;
  return (
    <Sheet id="locks" title="Locked resources" meta={`${rows.length} locked`}>
      <ul className={styles.lines}>
        {rows.map(row => (
          <li key={row.lockId}>
            <LockWords row={row} unconfirmed="Confirm it only after checking who asked." />
            {row.release?.confirmedBy === null && (
              <Button size="s" busy={confirm.isPending} refusal={refusal} onClick={() => confirm.mutate({ lockId: row.lockId })}>
                Confirm release
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Sheet>
  );
}
