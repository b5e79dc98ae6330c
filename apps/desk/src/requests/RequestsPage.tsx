import { Page, useAddress, useKit, useSteadyAnswer } from '@portal/app-kit';
import { useTablePage } from '@portal/app-kit/place/table-page';
import type { AnswerOf } from '@portal/contract';
import { pages } from '@portal/contract/pages';
import { type DeskKind, type DeskRequest, desk, deskAges, deskHandlers, deskKindNames, deskKinds } from '@portal/contract/staff/desk';
import { Button, DateText, EmptyState, formatCount, Link, Select, Sheet, Stack, StateMark } from '@portal/ui';
import { type Column, DataTable } from '@portal/ui/table/DataTable';
import { FilterSearch } from '@portal/ui/table/FilterSearch';
import { Suspense, useEffect } from 'react';
import { caseLink } from '../shell/case-link.ts';
import { toSearch, useDeskKeys } from '../shell/cases/desk-keys.ts';
import { proposedWords, secondWords, waitsForOthers } from '../shell/cases/second-words.ts';
import { stateOf } from '../shell/cases/state-words.ts';
import { type QueueFilters, queryOf, statuses, useQueueFilters } from './queue-filters.ts';
import { filterSearch } from '../shell/queue-search.ts';
import { named, nameOf } from './queue-words.ts';
import styles from './Request.module.css';
import { SavedQueues } from './SavedQueues.tsx';

const pageSize = 20;

const statusLabels: Record<(typeof statuses)[number], string> = {
  waiting: 'Waiting',
  submitted: 'New',
  'in-review': 'In review',
  'needs-info': 'Awaiting member',
  decided: 'Decided',
  approved: 'Approved',
  rejected: 'Rejected',
  withdrawn: 'Withdrawn',
};
const overStatuses: readonly string[] = ['decided', 'approved', 'rejected', 'withdrawn'];
const ageLabels: Record<(typeof deskAges)[number], string> = {
  0: 'Any age',
  2: '2 days or older',
  7: 'A week or older',
  30: '30 days or older',
  late: 'Late',
};

const handlerLabels: Record<(typeof deskHandlers)[number], string> = {
  any: 'Anyone’s',
  mine: 'Mine',
  none: 'Unassigned',
  second: 'Waiting for a second person',
};

/** The queue of registry staff: open requests of members, each of which leads to its page. */
export default function RequestsPage() {
  const { router } = useKit();
  const address = useAddress();
  const asked = useQueueFilters();
  const { kind, status, age, handler, sort, direction, q } = asked;
  const { page, query, table } = useTablePage(pageSize);
  const { answer, stale } = useSteadyAnswer(desk.listRequests, { query: { ...queryOf(asked), ...query } });
  const search = filterSearch(address.get);
  const open = (row: Pick<DeskRequest, 'kind' | 'requestId'> | undefined) => row && router.go(caseLink(row) + search);
  // Links of earlier mails name the request in the query.
  const moved = named(address.get('request'));
  const movedTo = moved && caseLink(moved);
  useEffect(() => {
    if (movedTo) router.go(movedTo, { replace: true });
  }, [movedTo, router]);
  // What waits for a second person who isn’t the reader is not theirs to open next.
  const first = answer.rows.find(row => !waitsForOthers(row)) ?? answer.rows[0];
  useDeskKeys(
    { j: first ? () => open(first) : null, Enter: () => open(first), s: toSearch },
    { j: 'Open the first case', s: 'Search this list' },
  );
  const filter = (change: Record<string, string | null>) => address.set({ ...change, page: null });
  const isOver = overStatuses.includes(status);

  return (
    <Page
      title={pages.deskRequests.title}
      sub="Requests from members to decide. The key j opens the first one, and then moves through the list."
    >
      <Stack gap={12}>
        <QueueProgress answer={answer} />
        <Suspense fallback={null}>
          <SavedQueues />
        </Suspense>
        <Sheet flush aria-label="Requests">
          <DataTable
            caption={captionOf({ isOver, isUsual: sort === 'at' && direction === 'asc' })}
            columns={columnsOf({ isOver, kind })}
            rows={answer.rows}
            rowId={nameOf}
            {...table}
            state={{ ...table.state, sort: { column: sort, descending: direction === 'desc' } }}
            onStateChange={next => {
              const column = next.sort?.column ?? 'at';
              const isDown = next.sort?.descending === true;
              if (column === sort && isDown === (direction === 'desc')) table.onStateChange(next);
              else filter({ sort: column === 'at' ? null : column, direction: isDown ? 'desc' : null });
            }}
            total={answer.total}
            loading={stale}
            onOpen={open}
            countLabel={
              answer.total > 0
                ? `${(page - 1) * pageSize + 1} to ${(page - 1) * pageSize + answer.rows.length} of ${answer.total}`
                : undefined
            }
            tools={<QueueTools asked={asked} counts={answer.counts} filter={filter} />}
            empty={
              <NoRequests
                isOver={isOver}
                isFiltered={q !== '' || kind !== null || age !== '0' || handler !== 'any'}
                onClear={() => filter({ q: null, kind: null, age: null, handler: null })}
              />
            }
          />
        </Sheet>
      </Stack>
    </Page>
  );
}

function NoRequests({ isOver, isFiltered, onClear }: { isOver: boolean; isFiltered: boolean; onClear: () => void }) {
  return isFiltered ? (
    <EmptyState title="No matching requests" picture={false} action={<Button onClick={onClear}>Show all</Button>}>
      The search covers accounts, organisations, references, who asked, what they asked for and who has it.
    </EmptyState>
  ) : (
    <EmptyState title={isOver ? 'No closed requests' : 'No open requests'} picture={false}>
      New requests appear here.
    </EmptyState>
  );
}

/** A choice with the number of requests that it shows. */
const counted = (label: string, count: number | undefined): string => (count === undefined ? label : `${label} (${formatCount(count)})`);

function QueueTools({
  asked: { kind, status, age, handler, q },
  counts,
  filter,
}: {
  asked: QueueFilters;
  counts: AnswerOf<typeof desk.listRequests>['counts'];
  filter: (change: Record<string, string | null>) => void;
}) {
  return (
    <>
      <Select
        size="s"
        aria-label="Request type"
        value={kind ?? ''}
        options={[
          { value: '', label: counted('All types', counts.kinds.all) },
          ...deskKindNames.map(value => ({ value, label: counted(deskKinds[value], counts.kinds[value]) })),
        ]}
        onChange={event => filter({ kind: event.target.value || null })}
      />
      <Select
        size="s"
        aria-label="State"
        value={status}
        options={statuses.map(value => ({
          value,
          label: counted(statusLabels[value], value in counts.states ? counts.states[value as 'waiting'] : undefined),
        }))}
        onChange={event => filter({ status: event.target.value === 'waiting' ? null : event.target.value })}
      />
      <Select
        size="s"
        aria-label="Age"
        value={age}
        options={deskAges.map(value => ({ value, label: counted(ageLabels[value], counts.ages[value]) }))}
        onChange={event => filter({ age: event.target.value === '0' ? null : event.target.value })}
      />
      <Select
        size="s"
        aria-label="Who has it"
        value={handler}
        options={deskHandlers.map(value => ({ value, label: counted(handlerLabels[value], counts.handlers[value]) }))}
        onChange={event => filter({ handler: event.target.value === 'any' ? null : event.target.value })}
      />
      <FilterSearch label="Account, reference, person" value={q} onChange={next => filter({ q: next })} className={styles.words} />
    </>
  );
}

/** How many requests of each type are open. */
function QueueProgress({ answer }: { answer: AnswerOf<typeof desk.listRequests> }) {
  return (
    <p className={styles.progress} aria-live="polite">
      {deskKindNames
        .filter(name => answer.waiting[name] > 0)
        .map(name => (
          <span key={name}>
            {deskKinds[name]}: {answer.waiting[name]} open
          </span>
        ))}
      {deskKindNames.every(name => answer.waiting[name] === 0) && <span>No open requests</span>}
      {answer.late > 0 && (
        <Link href={`${pages.deskRequests.path}?age=late`}>
          {answer.late} late, {answer.late === 1 ? 'waiting' : 'each waiting'} longer than promised
        </Link>
      )}
    </p>
  );
}

const captionOf = ({ isOver, isUsual }: { isOver: boolean; isUsual: boolean }): string =>
  `${isOver ? 'Closed' : 'Open'} requests${isUsual ? (isOver ? ', newest first' : ', oldest first') : ''}`;

function columnsOf({ isOver, kind }: { isOver: boolean; kind: DeskKind | null }): Column<DeskRequest>[] {
  const columns: Column<DeskRequest>[] = [
    {
      id: 'asked',
      label: 'Request',
      fixed: true,
      wrap: true,
      card: 'key',
      cell: ({ asked, kind: of, reference }) => (
        <>
          {asked}{' '}
          {(kind === null || reference) && (
            <span className={styles.second}>
              {kind === null && deskKinds[of]}
              {kind === null && reference && ', '}
              {reference && <span className="nw">{reference}</span>}
            </span>
          )}
        </>
      ),
      text: ({ asked }) => asked,
    },
    {
      id: 'accountName',
      label: 'Account',
      fixed: true,
      wrap: true,
      card: 'wide',
      cell: ({ accountName, orgName }) => (
        <>
          {accountName} <span className="quiet">{orgName}</span>
        </>
      ),
      text: ({ accountName }) => accountName ?? '',
    },
    {
      id: 'state',
      label: 'State',
      fixed: true,
      card: 'state',
      cell: ({ kind: of, state, late, second }) => (
        <span className={styles.marks}>
          {second ? (
            <StateMark state={second.mayConfirm ? 'warning' : 'pending'}>{secondWords(second)}</StateMark>
          ) : (
            <StateMark state={stateOf({ kind: of, state }).state}>{stateOf({ kind: of, state }).words}</StateMark>
          )}
          {late && <StateMark state="invalid">Late</StateMark>}
          {second && <span className="quiet small">{proposedWords(second)}</span>}
        </span>
      ),
      text: ({ kind: of, state, late, second }) =>
        `${second ? `${secondWords(second)}: ${proposedWords(second)}` : stateOf({ kind: of, state }).words}${late ? ', late' : ''}`,
    },
  ];
  columns.push({
    id: 'by',
    label: isOver ? 'By' : 'Requested by',
    fixed: true,
    card: 'wide',
    cell: row => (isOver ? row.resolvedBy : row.requestedBy) ?? '',
  });
  columns.push({
    id: 'at',
    label: isOver ? 'On' : 'Since',
    fixed: true,
    sortable: true,
    cell: row => <DateText value={(isOver ? row.resolvedAt : null) ?? row.requestedAt} shape="date" />,
  });
  if (!isOver)
    columns.push(
      {
        id: 'due',
        label: 'Due',
        fixed: true,
        sortable: true,
        cell: ({ dueAt }) => (dueAt === null ? <span className="quiet">no day</span> : <DateText value={dueAt} shape="date" />),
        text: ({ dueAt }) => dueAt ?? '',
      },
      {
        id: 'handler',
        label: 'With',
        fixed: true,
        sortable: true,
        cell: ({ handler }) => handler ?? <span className="quiet">unassigned</span>,
        text: ({ handler }) => handler ?? '',
      },
    );
  return columns;
}
