import { reading, type ServiceFailure, useAccount, useKit } from '@portal/app-kit';
import { type TaskDetail, tasks } from '@portal/contract/tasks/tasks';
import { Banner, formatCount, Link, SkeletonLines, Stack } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { usePollingDelay } from '../../shell/polling.ts';
import { TaskFailures, TaskProgress } from '../tasks/TaskProgress.tsx';
import { hrefOfObjectsTask, isOpen } from '../tasks/task-words.ts';

/** The dry run of a large text, which is a task: its progress, and whether it still exists. */
export type DryRun = { taskId: number; task: TaskDetail | null; isLost: boolean; isGone: boolean };

/** Follows the task of a dry run until its end; null without one. */
export function useDryRun(taskId: number | null): DryRun | null {
  const { accountName: account } = useAccount();
  const { call } = useKit();
  const pause = usePollingDelay();
  const isGone = (error: unknown) => (error as ServiceFailure | null)?.status === 404;
  const { data, error } = useQuery({
    ...reading(call, tasks.getTask, { account, taskId: String(taskId) }),
    enabled: taskId !== null,
    staleTime: 0,
    refetchInterval: ({ state }) => (isGone(state.error) || (state.data && !isOpen(state.data)) ? false : pause()),
  });
  return taskId === null ? null : { taskId, task: data ?? null, isLost: error !== null, isGone: isGone(error) };
}

/** Returns the counts of a finished dry run; null before, and if it was cancelled. */
export const countsOfDryRun = (dryRun: DryRun | null): TaskDetail['counts'] | null =>
  dryRun?.task?.state === 'completed' && dryRun.task.error === null && !dryRun.isGone ? dryRun.task.counts : null;

/** Progress and end of a dry run, in place. */
export function UploadDryRun({ dryRun: { taskId, task, isLost, isGone } }: { dryRun: DryRun }) {
  const { environment } = useKit();
  const href = hrefOfObjectsTask(taskId, environment.product);
  if (isGone)
    return (
      <Banner kind="warning" title={`Task ${taskId} for this text no longer exists.`}>
        Try again.
      </Banner>
    );
  const stopped = task !== null && !isOpen(task) && (task.state !== 'completed' || task.error !== null);
  return (
    <Stack gap={12}>
      {isLost && (
        <Banner kind="warning" title="Progress of the dry run couldn’t be loaded.">
          It continues. We’ll check again.
        </Banner>
      )}
      {task === null ? !isLost && <SkeletonLines lines={2} label="Loading the dry run" /> : <TaskProgress task={task} />}
      {stopped && (
        <Banner kind="warning" title={task.state === 'cancelled' ? 'The dry run was cancelled.' : 'The dry run didn’t finish.'}>
          {task.error} Try it again.
        </Banner>
      )}
      {task !== null && task.failures.length > 0 && <TaskFailures task={task} />}
      <p className="small">
        {task !== null && isOpen(task) ? `The dry run is task ${taskId}. You can leave and come back. ` : ''}
        {task !== null && task.counts.failed > 0 ? (
          <Link href={`${href}&show=failed`}>Show {formatCount(task.counts.failed)} rejected</Link>
        ) : (
          <Link href={href}>{task !== null && isOpen(task) ? 'View task' : 'Show expected results'}</Link>
        )}
      </p>
    </Stack>
  );
}
