import {
  type CallAnswer,
  type PageReads,
  read,
  reading,
  type TableRows,
  tableRows,
  useAccount,
  useAddress,
  useChange,
  useDownload,
  useKit,
  useSteadyAnswer,
  useTablePlace,
} from '@portal/app-kit';
import { type Task, taskOutcomes, tasks, taskStates } from '@portal/contract/tasks/tasks';
import { Button, DateText, EmptyState, formatCount, LinkButton, Row } from '@portal/ui';
import { type Column, DataTable } from '@portal/ui/table/DataTable';
import { useQuery } from '@tanstack/react-query';
import { DayRange, isDay } from '@portal/ui/picker/DayRange';
import { ExportButtons } from '@portal/ui/table/ExportButtons';
import { FilterSelect } from '@portal/ui/table/FilterSelect';
import { TableSkeleton } from '../../shell/TableSkeleton.tsx';
import { FirstRead } from '../../shell/FirstRead.tsx';
import { usePollingDelay } from '../../shell/polling.ts';
import { TaskOutcome, TaskState } from './TaskMarks.tsx';
import styles from './TasksTable.module.css';
import { isOpen, outcomeMarks, secondsOf, spanWords, stateMarks } from './task-words.ts';

const pageSize = 50;

const itemsWords = ({ itemsDone, itemsTotal }: Task): string =>
  itemsTotal === null ? '' : itemsDone === itemsTotal ? formatCount(itemsTotal) : `${formatCount(itemsDone)} of ${formatCount(itemsTotal)}`;

const columns: Column<Task>[] = [
  {
    id: 'summary',
    label: 'Task',
    cell: ({ summary, taskId }) => (
      <span className={styles.task}>
        <span className="strong">{summary}</span> <span className="quiet nw">No. {taskId}</span>
      </span>
    ),
    text: ({ summary }) => summary,
    wrap: true,
    fixed: true,
  },
  { id: 'kind', label: 'Kind', cell: ({ kind }) => <span className="nw">{kind}</span>, card: 'none' },
  { id: 'state', label: 'State', cell: task => <TaskState task={task} />, text: ({ state }) => stateMarks[state].word, card: 'state' },
  { id: 'outcome', label: 'Result', cell: task => <TaskOutcome task={task} />, card: 'wide' },
  { id: 'items', label: 'Objects done', cell: task => <span className="nw">{itemsWords(task)}</span>, align: 'end' },
  { id: 'startedBy', label: 'Started by', cell: ({ startedBy, mine }) => (mine ? 'you' : startedBy), wrap: true },
  { id: 'createdAt', label: 'Started', cell: ({ createdAt }) => <DateText value={createdAt} />, look: 'quiet' },
  { id: 'took', label: 'Took', cell: task => took(task), align: 'end', look: 'quiet' },
];

function took(task: Task): string {
  const seconds = task.finishedAt === null ? null : secondsOf(task, 0);
  return seconds === null ? '' : spanWords(seconds);
}

const filterNames = ['name', 'state', 'outcome', 'person', 'from', 'to'] as const;
const noFilters = Object.fromEntries([...filterNames, 'after'].map(name => [name, null]));

const place = { sorts: ['taskId'], filters: [...filterNames, 'after'] } as const;

/** Returns the filters in the address, and the read of the tasks that match. */
function callOf(kind: 'all' | 'bulk', account: string, table: TableRows<'taskId'>) {
  const after = Number(table.filter('after'));
  const day = (name: 'from' | 'to') => (isDay(table.filter(name)) ? table.filter(name) : undefined);
  const filters = {
    kind,
    name: /^[a-z][\w-]*(\.[\w-]+)+$/i.exec(table.filter('name'))?.[0],
    state: taskStates.find(each => each === table.filter('state')),
    outcome: taskOutcomes.find(each => each === table.filter('outcome')),
    person: /^(registry|[0-9a-f-]{36})$/.exec(table.filter('person'))?.[0],
    from: day('from'),
    to: day('to'),
  };
  const input = { account, query: { ...filters, ...(Number.isInteger(after) && after > 0 && { after }), limit: pageSize } };
  return { filters, after, input };
}

/** Reads the filters from the address, with the call that answers them. */
function useTaskList(kind: 'all' | 'bulk') {
  const account = useAccount().accountName;
  const table = useTablePlace({ id: `tasks.${kind}`, ...place });
  return { account, table, ...callOf(kind, account, table) };
}

/** The reads with which the list of all tasks begins. */
export const taskReads: PageReads = ({ account, address }) => [
  read(tasks.listTasks, callOf('all', account, tableRows(address, place)).input),
];

/** Choices of a filter with their counts; the selected one is listed even with a count of zero. */
function choices<Value extends string>(
  any: string,
  counted: readonly { value: Value; tasks: number }[],
  chosen: Value | undefined,
  words: (value: Value) => string,
) {
  const all = chosen === undefined || counted.some(({ value }) => value === chosen) ? counted : [...counted, { value: chosen, tasks: 0 }];
  return [{ value: '', label: any }, ...all.map(({ value, tasks: left }) => ({ value, label: `${words(value)} (${formatCount(left)})` }))];
}

/** Background work of the account, newest first; running tasks update automatically. */
export function TasksTable({ kind }: { kind: 'all' | 'bulk' }) {
  const { input } = useTaskList(kind);
  return (
    <FirstRead reads={[read(tasks.listTasks, input)]} fallback={<TableSkeleton />}>
      <FoundTasks kind={kind} />
    </FirstRead>
  );
}

function FoundTasks({ kind }: { kind: 'all' | 'bulk' }) {
  const { account, table, filters, after, input } = useTaskList(kind);
  const { call } = useKit();
  const address = useAddress();
  const pause = usePollingDelay();
  const { answer, stale } = useSteadyAnswer(tasks.listTasks, input);
  useQuery({
    ...reading(call, tasks.listTasks, input),
    refetchInterval: ({ state: { data } }) => (data?.rows.some(isOpen) ? pause() : false),
  });
  const cancel = useChange(tasks.cancelTask, { refresh: [tasks.listTasks, tasks.getTask] });
  const save = useDownload(tasks.exportTasks);
  const narrowed = filterNames.some(name => filters[name] !== undefined);
  const { rows, more, total, facets } = answer;
  return (
    <>
      <DataTable
        caption={`Tasks of ${account}`}
        columns={columns}
        rows={rows}
        rowId={({ taskId }) => String(taskId)}
        rowLabel={({ summary }) => summary}
        state={table.state}
        onStateChange={table.onStateChange}
        pageSize={pageSize}
        loading={stale}
        onOpen={({ link }) => address.go(link)}
        rowActions={({ taskId, mayCancel, link }) => (
          <>
            {mayCancel && (
              <Button size="s" busy={cancel.isPending} onClick={() => cancel.mutate({ account, taskId: String(taskId) })}>
                Cancel
              </Button>
            )}
            <LinkButton size="s" href={link} aria-label={`Open task ${taskId}`}>
              Open
            </LinkButton>
          </>
        )}
        countLabel={
          <span className="nw">
            {formatCount(total)} {total === 1 ? 'task' : 'tasks'}
          </span>
        }
        exportMenu={<ExportButtons what="tasks" save={format => save({ account, query: { ...filters, format } })} />}
        tools={<TaskFilters facets={facets} filters={filters} onFilters={next => table.setFilters({ ...next, after: null })} />}
        empty={
          narrowed || after > 0 ? (
            <EmptyState title="No matches" action={<Button onClick={() => table.setFilters(noFilters)}>See all tasks</Button>}>
              No task of {account} matches these filters.
            </EmptyState>
          ) : (
            <EmptyState title="No tasks yet" action={<LinkButton href="/resources/whois-text-upload">Upload whois objects</LinkButton>}>
              Bulk changes of whois objects run as tasks and appear here with their results.
            </EmptyState>
          )
        }
      />
      <TaskPages after={after} last={more ? rows.at(-1)?.taskId : undefined} />
    </>
  );
}

type FiltersProps = {
  facets: CallAnswer<typeof tasks.listTasks>['facets'];
  filters: ReturnType<typeof callOf>['filters'];
  onFilters: (change: Record<string, string | null>) => void;
};

function TaskFilters({ facets, filters, onFilters }: FiltersProps) {
  return (
    <>
      <FilterSelect
        label="State"
        value={filters.state ?? ''}
        onChange={next => onFilters({ state: next })}
        options={choices('Any state', facets.states, filters.state, value => stateMarks[value].word)}
      />
      <FilterSelect
        label="Result"
        value={filters.outcome ?? ''}
        onChange={next => onFilters({ outcome: next })}
        options={choices('Any result', facets.outcomes, filters.outcome, value => outcomeMarks[value].word)}
      />
      <FilterSelect
        label="Kind"
        value={filters.name ?? ''}
        onChange={next => onFilters({ name: next })}
        options={choices('Any kind', facets.names, filters.name, value => facets.names.find(each => each.value === value)?.kind ?? value)}
      />
      {(facets.people.length > 1 || filters.person !== undefined) && (
        <FilterSelect
          label="Started by"
          value={filters.person ?? ''}
          onChange={next => onFilters({ person: next })}
          options={choices(
            'Started by anyone',
            facets.people,
            filters.person,
            value => facets.people.find(each => each.value === value)?.name ?? 'Another contact',
          )}
        />
      )}
      <DayRange from={filters.from ?? ''} to={filters.to ?? ''} onChange={days => onFilters(days)} />
    </>
  );
}

/** Leads to the newest tasks and to older ones. @param last the task before the older ones; undefined if there are none */
function TaskPages({ after, last }: { after: number; last: number | undefined }) {
  const address = useAddress();
  if (after === 0 && last === undefined) return null;
  return (
    <Row gap={8} className={styles.pages}>
      {after > 0 && (
        <Button size="s" onClick={() => address.set({ after: null }, { step: true })}>
          Newest
        </Button>
      )}
      {last !== undefined && (
        <Button size="s" onClick={() => address.set({ after: String(last) }, { step: true })}>
          Older tasks
        </Button>
      )}
    </Row>
  );
}
