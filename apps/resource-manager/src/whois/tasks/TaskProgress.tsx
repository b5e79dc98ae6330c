import type { TaskDetail } from '@portal/contract/tasks/tasks';
import { Badge, formatCount, ProgressBar } from '@portal/ui';
import { useEffect, useState } from 'react';
import styles from './TaskProgress.module.css';
import { secondsOf, spanWords } from './task-words.ts';

/** Progress of a task, and the number of objects per result. */
export function TaskProgress({ task }: { task: TaskDetail }) {
  const { counts, itemsTotal, state } = task;
  const { ok, unchanged, failed, skipped } = counts;
  return (
    <div aria-live="polite">
      <ProgressBar
        label={state === 'queued' ? 'Queued' : state === 'running' ? 'Running' : 'Objects'}
        done={ok + unchanged}
        refused={failed + skipped}
        total={itemsTotal ?? 0}
        words={<Pace task={task} />}
      />
      <p className={styles.counts}>
        <span>
          {formatCount(ok)} {task.dryRun ? 'would change' : 'done'}
        </span>
        <span>{formatCount(unchanged)} unchanged</span>
        <span className={failed > 0 ? styles.failed : undefined}>
          {formatCount(failed)} {task.dryRun ? 'refused' : 'failed'}
        </span>
        {skipped > 0 && <span>{formatCount(skipped)} left out</span>}
        {counts.pending > 0 && <span>{formatCount(counts.pending)} to come</span>}
      </p>
    </div>
  );
}

/** Items done, and once it runs how fast and how long it will take. */
function Pace({ task }: { task: TaskDetail }) {
  const { itemsDone, itemsTotal, state } = task;
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (state !== 'running') return;
    const clock = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(clock);
  }, [state]);
  const total = itemsTotal ?? 0;
  const amount = `${formatCount(itemsDone)} of ${formatCount(total)}`;
  const seconds = secondsOf(task, now);
  if (state !== 'running' || seconds === null || seconds < 1 || itemsDone === 0) return amount;
  const rate = itemsDone / seconds;
  return `${amount}, ${formatCount(Math.round(rate))} a second, ${spanWords((total - itemsDone) / rate)} left`;
}

/** The errors of a task's objects, most frequent first. */
export function TaskFailures({ task }: { task: TaskDetail }) {
  return (
    <ul className={styles.failures}>
      {task.failures.map(({ message, objects }) => (
        <li key={message}>
          <Badge kind="invalid">
            {formatCount(objects)} <span className="vh">{objects === 1 ? 'object' : 'objects'}</span>
          </Badge>
          <span>{message}</span>
        </li>
      ))}
    </ul>
  );
}
