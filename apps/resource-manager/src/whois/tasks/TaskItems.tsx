import { changedSearch, reading, useAccount, useAddress, useKit, usePlace } from '@portal/app-kit';
import { itemStates, type TaskDetail, type TaskItem, tasks } from '@portal/contract/tasks/tasks';
import { Button, EmptyState, formatCount, Row, Sheet, SkeletonRows, Tabs } from '@portal/ui';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Outcome } from './outcome-words.ts';
import { Outcomes } from './Outcomes.tsx';
import { usePollingDelay } from '../../shell/polling.ts';
import styles from './TaskItems.module.css';
import { isOpen } from './task-words.ts';

const pageSize = 50;
const tabWords = { pending: 'To come', ok: 'Done', unchanged: 'Unchanged', failed: 'Failed', skipped: 'Left out' } as const;

/** In a dry run the stored text would be the text sent. */
const outcomeOf = (item: TaskItem, isDryRun: boolean): Outcome => ({
  ...item,
  id: String(item.itemNo),
  line: null,
  after: isDryRun && item.state === 'ok' && item.done !== 'delete' ? item.text : item.after,
});

/** The objects of a task, by result. */
export function TaskItems({ task }: { task: TaskDetail }) {
  const { accountName: account } = useAccount();
  const { call } = useKit();
  const { path, search } = usePlace();
  const address = useAddress();
  const pause = usePollingDelay();
  const state = itemStates.find(each => each === address.get('show'));
  const page = Math.max(1, Math.trunc(Number(address.get('page'))) || 1);
  const { data, error, refetch } = useQuery({
    ...reading(call, tasks.listTaskItems, {
      account,
      taskId: String(task.taskId),
      query: { ...(state && { state }), offset: (page - 1) * pageSize, limit: pageSize },
    }),
    staleTime: 0,
    placeholderData: keepPreviousData,
    refetchInterval: () => (isOpen(task) ? pause() : false),
  });
  const all = Object.values(task.counts).reduce((sum, each) => sum + each, 0);
  const href = (show: string | null) => path + changedSearch(search, { show, page: null });
  const pages = Math.ceil((data?.total ?? 0) / pageSize);
  return (
    <Sheet title="Objects" flush>
      <div className={styles.tabs}>
        <Tabs
          label="Results"
          items={[
            { href: href(null), label: 'All', count: formatCount(all), current: !state },
            ...itemStates
              .filter(each => task.counts[each] > 0 || each === state)
              .map(each => ({ href: href(each), label: tabWords[each], count: formatCount(task.counts[each]), current: each === state })),
          ]}
        />
      </div>
      {error && !data ? (
        <EmptyState title="Objects couldn’t be loaded" action={<Button onClick={() => void refetch()}>Try again</Button>}>
          {error.message}
        </EmptyState>
      ) : !data ? (
        <SkeletonRows rows={8} columns={3} />
      ) : data.rows.length === 0 ? (
        <EmptyState title="None" action={<Button onClick={() => address.set({ show: null, page: null })}>See all objects</Button>}>
          No objects of this task have this result.
        </EmptyState>
      ) : (
        <Outcomes outcomes={data.rows.map(item => outcomeOf(item, task.dryRun))} isDryRun={task.dryRun} label="Objects of the task" />
      )}
      {pages > 1 && (
        <Row gap={8} className={styles.pages}>
          <Button
            size="s"
            refusal={page <= 1 ? { reason: 'This is the first page' } : null}
            refusalIn="note"
            onClick={() => address.set({ page: page > 2 ? String(page - 1) : null })}
          >
            Previous
          </Button>
          <span className="small quiet">
            Page {page} of {pages}
          </span>
          <Button
            size="s"
            refusal={page >= pages ? { reason: 'This is the last page' } : null}
            refusalIn="note"
            onClick={() => address.set({ page: String(page + 1) })}
          >
            Next
          </Button>
        </Row>
      )}
    </Sheet>
  );
}
