import { isRowId } from '@portal/contract/row-ids';
import { Page, reading, type ServiceFailure, useAccount, useAddress, useChange, useDownload, useKit, usePlace } from '@portal/app-kit';
import { pages } from '@portal/contract/pages';
import { type TaskDetail, tasks } from '@portal/contract/tasks/tasks';
import {
  Banner,
  Breadcrumb,
  Button,
  DateText,
  EmptyState,
  formatCount,
  KeyValueList,
  LinkButton,
  Row,
  Sheet,
  SkeletonLines,
  Stack,
} from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { usePollingDelay } from '../../shell/polling.ts';
import { TaskItems } from './TaskItems.tsx';
import { TaskFailures, TaskProgress } from './TaskProgress.tsx';
import { TaskOutcome, TaskState } from './TaskMarks.tsx';
import styles from './TaskPage.module.css';
import { isOpen, outcomeMarks, secondsOf, spanWords } from './task-words.ts';

const listPath = '/task/list';

/** One task (`?id=`): its progress, its result and that of each object, and ways to undo it. */
export default function TaskPage() {
  const { accountName: account } = useAccount();
  const { call } = useKit();
  const kindOfPage = titleAt(usePlace().path);
  const id = useAddress().get('id') ?? '';
  const pause = usePollingDelay();
  const isNumber = isRowId(id);
  const { data, error } = useQuery({
    ...reading(call, tasks.getTask, { account, taskId: id }),
    enabled: isNumber,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data && isOpen(state.data) ? pause() : false),
  });
  const isMissing = !isNumber || (error as ServiceFailure | null)?.status === 404;
  if (error && !data && !isMissing) throw error;
  if (isMissing) return <NoTask id={id} title={kindOfPage} />;
  if (!data)
    return (
      <Frame id={id} title={`Task ${id}`}>
        <SkeletonLines lines={8} label="Loading the task" />
      </Frame>
    );
  return <FoundTask key={data.taskId} task={data} isLost={error !== null} />;
}

function Frame({
  id,
  title,
  heading,
  actions,
  children,
}: {
  id: string;
  title: string;
  heading?: string;
  actions?: React.ReactNode;
  children: React.ReactNode;
}) {
  return (
    <Page
      title={title}
      heading={heading ?? title}
      breadcrumb={<Breadcrumb items={[{ label: 'Tasks', href: listPath }, { label: `Task ${id}` }]} />}
      actions={actions}
    >
      {children}
    </Page>
  );
}

/** The three pages of tasks differ by what their address names. */
const titleAt = (path: string): string =>
  (path.includes('/Echo/') ? pages.taskEcho : path.includes('/ModifyObjects/') ? pages.taskWhoisModifyObjects : pages.taskWhoisModify)
    .title;

function NoTask({ id, title }: { id: string; title: string }) {
  return (
    <Page title={title} breadcrumb={<Breadcrumb items={[{ label: 'Tasks', href: listPath }, { label: 'Task' }]} />}>
      <Sheet aria-label="No task">
        <EmptyState
          title={id === '' ? 'No task selected' : 'Task not found'}
          action={<LinkButton href={listPath}>See all tasks</LinkButton>}
        >
          {id === '' ? 'The address names a task by its number, as in ?id=12.' : `This account has no task number ${id.slice(0, 20)}.`}
        </EmptyState>
      </Sheet>
    </Page>
  );
}

const share = ({ itemsDone, itemsTotal }: TaskDetail): string => (itemsTotal ? `${Math.floor((100 * itemsDone) / itemsTotal)} %` : '');

function titleOf(task: TaskDetail): string {
  if (task.state === 'running') return `${share(task)} Task ${task.taskId}`.trim();
  return task.outcome === null ? `Task ${task.taskId}` : `${outcomeMarks[task.outcome].word}: task ${task.taskId}`;
}

function FoundTask({ task, isLost }: { task: TaskDetail; isLost: boolean }) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const [beganOpen] = useState(() => isOpen(task));
  const announced = useRef(false);
  const isOver = !isOpen(task);
  useEffect(() => {
    if (!beganOpen || !isOver || announced.current) return;
    announced.current = true;
    const words = task.outcome === null ? 'is cancelled' : `finished: ${outcomeMarks[task.outcome].word.toLowerCase()}`;
    notify({ kind: task.outcome === 'success' ? 'done' : 'info', text: `Task ${task.taskId} ${words}.` });
  });
  const { hasItems } = task;
  return (
    <Frame id={String(task.taskId)} title={titleOf(task)} heading={task.summary} actions={<Acts task={task} account={account} />}>
      <Stack gap={16}>
        {isLost && (
          <Banner kind="warning" title="Progress couldn’t be loaded.">
            Showing the last known progress. The task continues.
          </Banner>
        )}
        {task.dryRun && <Banner title="This is a dry run.">It shows the result for each object without saving.</Banner>}
        <Sheet
          title="Progress"
          meta={
            <Row gap={6}>
              <TaskState task={task} />
              <TaskOutcome task={task} />
            </Row>
          }
        >
          <Stack gap={16}>
            {hasItems && task.itemsTotal !== null && <TaskProgress task={task} />}
            {task.error !== null && (
              <Banner kind="error" title={task.name === 'whois.echo' ? 'It failed as requested:' : 'It stopped:'}>
                {task.error}
              </Banner>
            )}
            <Facts task={task} />
          </Stack>
        </Sheet>
        {task.failures.length > 0 && <Failures task={task} />}
        {hasItems && <TaskItems task={task} />}
      </Stack>
    </Frame>
  );
}

function Facts({ task }: { task: TaskDetail }) {
  const { kind, startedBy, mine, createdAt, startedAt, finishedAt, mode, request } = task;
  const seconds = finishedAt === null ? null : secondsOf(task, 0);
  return (
    <KeyValueList
      align="left"
      items={[
        { key: 'Kind', value: kind },
        ...(request === null ? [] : [{ key: 'Request', value: <span className={styles.request}>{request}</span> }]),
        { key: 'Started by', value: mine ? `${startedBy}, you` : startedBy },
        { key: 'Asked for', value: <DateText value={createdAt} /> },
        ...(startedAt === null ? [] : [{ key: 'Begun', value: <DateText value={startedAt} /> }]),
        ...(finishedAt === null
          ? []
          : [
              {
                key: 'Ended',
                value: (
                  <>
                    <DateText value={finishedAt} />
                    {seconds !== null && <span className="quiet"> after {spanWords(seconds)}</span>}
                  </>
                ),
              },
            ]),
        ...(mode === null
          ? []
          : [{ key: 'If an object fails', value: mode === 'atomic' ? 'no changes are made' : 'the others are changed' }]),
      ]}
    />
  );
}

function Failures({ task }: { task: TaskDetail }) {
  const address = useAddress();
  return (
    <Sheet title="Problems" flush>
      <div className={styles.failures}>
        <TaskFailures task={task} />
      </div>
      {address.get('show') !== 'failed' && (
        <div className={styles.foot}>
          <Button size="s" onClick={() => address.set({ show: 'failed', page: null })}>
            Show only these
          </Button>
        </div>
      )}
    </Sheet>
  );
}

function Acts({ task, account }: { task: TaskDetail; account: string }) {
  const { notify } = useKit();
  const address = useAddress();
  const input = { account, taskId: String(task.taskId) };
  const refresh = [tasks.getTask, tasks.listTasks, tasks.listTaskItems];
  const cancel = useChange(tasks.cancelTask, { refresh, onDone: () => notify({ text: `Task ${task.taskId} is cancelled.` }) });
  const retry = useChange(tasks.retryTask, { refresh, onDone: ({ link }) => address.go(link) });
  const revert = useChange(tasks.revertTask, { refresh, onDone: ({ link }) => address.go(link) });
  const [isSure, setSure] = useState(false);
  const save = useDownload(tasks.getTaskReport);
  const report = (format: 'csv' | 'json' | 'text' | 'acknowledgement') => void save({ ...input, query: { format } });
  if (!task.hasItems && !task.mayCancel) return null;
  const bad = task.counts.failed + task.counts.skipped;
  return (
    <>
      {task.mayCancel && (
        <Button busy={cancel.isPending} onClick={() => cancel.mutate(input)}>
          Cancel
        </Button>
      )}
      {task.mayRetry && (
        <Button icon="refresh" busy={retry.isPending} onClick={() => retry.mutate(input)}>
          Retry {formatCount(bad)} failed
        </Button>
      )}
      {task.mayRevert &&
        (isSure ? (
          <>
            <Button variant="danger" busy={revert.isPending} onClick={() => revert.mutate(input)}>
              Restore {formatCount(task.counts.ok)} {task.counts.ok === 1 ? 'object' : 'objects'}
            </Button>
            <Button variant="quiet" onClick={() => setSure(false)}>
              Cancel
            </Button>
          </>
        ) : (
          <Button onClick={() => setSure(true)}>Revert</Button>
        ))}
      {!isOpen(task) && (
        <Row gap={4} wrap>
          {task.counts.failed > 0 && (
            <Button size="s" variant="quiet" icon="download" onClick={() => report('text')}>
              Failed ones, with reasons
            </Button>
          )}
          <Button size="s" variant="quiet" icon="download" onClick={() => report('acknowledgement')}>
            Acknowledgement
          </Button>
          <Button size="s" variant="quiet" icon="download" aria-label="Report as CSV" onClick={() => report('csv')}>
            CSV
          </Button>
          <Button size="s" variant="quiet" icon="download" aria-label="Report as JSON" onClick={() => report('json')}>
            JSON
          </Button>
        </Row>
      )}
    </>
  );
}
