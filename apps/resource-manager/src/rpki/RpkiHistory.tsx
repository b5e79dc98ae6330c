import { read, useAccount, useRead } from '@portal/app-kit';
import type { AnswerOf } from '@portal/contract';
import { rpki } from '@portal/contract/rpki/rpki';
import { Button, DateText, EmptyState, Link, Sheet, SkeletonRows, StateMark } from '@portal/ui';
import { useState } from 'react';
import { FirstRead } from '../shell/FirstRead.tsx';
import styles from './RpkiHistory.module.css';

const first = 10;
const most = 200;
type Entry = AnswerOf<typeof rpki.listHistory>['rows'][number];
/** The newest changes of RPKI of an account. */
export const historyOf = (account: string, limit = first) => read(rpki.listHistory, { account, query: { limit } });

/** Changes of RPKI and who made them, newest first. */
export function RpkiHistory() {
  const { accountName: account } = useAccount();
  return (
    <Sheet
      flush
      title="History"
      actions={
        <Link href="/member-account-settings/activity-logs" className="small">
          All activity
        </Link>
      }
    >
      <FirstRead reads={[historyOf(account)]} fallback={<SkeletonRows rows={4} label="Loading history" />}>
        <Entries />
      </FirstRead>
    </Sheet>
  );
}

function Entries() {
  const { accountName: account } = useAccount();
  const [limit, setLimit] = useState(first);
  const { rows, more } = useRead(historyOf(account, limit));
  if (rows.length === 0)
    return (
      <EmptyState title="No changes yet" picture={false}>
        Changes of ROAs, keys and the certificate appear here.
      </EmptyState>
    );
  return (
    <>
      <ol className={styles.list}>
        {rows.map(entry => (
          <HistoryEntry key={entry.activityId} entry={entry} />
        ))}
      </ol>
      {more && limit < most && (
        <div className={styles.more}>
          <Button size="s" onClick={() => setLimit(most)}>
            Show older changes
          </Button>
        </div>
      )}
    </>
  );
}

function HistoryEntry({ entry: { happenedAt, summary, by, added, removed, refusal } }: { entry: Entry }) {
  return (
    <li>
      <div className={styles.head}>
        <span className="strong">{summary}</span>
        {refusal !== null && <StateMark state="warning">Refused</StateMark>}
        <span className={styles.when}>
          {by ?? 'The registry'}, <DateText value={happenedAt} />
        </span>
      </div>
      {added.length + removed.length > 0 && (
        <ul className={styles.changes}>
          {removed.map(text => (
            <li key={`- ${text}`} className={styles.removed}>
              <span aria-label="Removed">−</span> {text}
            </li>
          ))}
          {added.map(text => (
            <li key={`+ ${text}`} className={styles.added}>
              <span aria-label="Added">+</span> {text}
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
