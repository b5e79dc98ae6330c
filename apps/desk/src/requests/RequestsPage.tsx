import type { AnswerOf } from '@portal/contract';
import { Page, useAddress, useSteadyAnswer } from '@portal/app-kit';
import { useSidePanel } from '@portal/app-kit/embedded/side-panel';
import { useTablePage } from '@portal/app-kit/place/table-page';
import { pages } from '@portal/contract/pages';
import { type DeskKind, type DeskRequest, desk, deskKindNames, deskKinds, deskOpenStates, deskSorts } from '@portal/contract/staff/desk';
import { Button, DateText, EmptyState, Grid, Link, Select, Sheet, Stack, StateMark } from '@portal/ui';
import { type Column, DataTable } from '@portal/ui/table/DataTable';
import { FilterSearch } from '@portal/ui/table/FilterSearch';
import { Suspense, useState } from 'react';
import { useQueueKeys } from './queue-keys.ts';
import { isSameRequest, named, nameOf, stateWords } from './queue-words.ts';
import styles from './Request.module.css';
import { RequestPanel } from './RequestPanel.tsx';
import { SavedQueues } from './SavedQueues.tsx';

const pageSize = 20;

const statuses = ['waiting', ...deskOpenStates, 'decided', 'approved', 'rejected', 'withdrawn'] as const;
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
const ages = ['0', '2', '7', '30', 'late'] as const;
const ageLabels: Record<(typeof ages)[number], string> = {
  0: 'Any age',
  2: '2 days or older',
  7: 'A week or older',
  30: '30 days or older',
  late: 'Late',
};

const handlers = ['any', 'mine', 'none'] as const;
const handlerLabels: Record<(typeof handlers)[number], string> = { any: 'Anyone’s', mine: 'Mine', none: 'Not taken' };

type Asked = ReturnType<typeof useAsked>;

/** The queue of registry staff: open requests of members, one of them beside the list, and its decision. */
export default function RequestsPage() {
  const address = useAddress();
  const asked = useAsked();
  const { kind, status, age, handler, sort, direction, q } = asked;
  const { page, query, table } = useTablePage(pageSize);
  const open = named(address.get('request'));
  const openName = open && nameOf(open);
  const { answer, stale } = useQueue(asked, query);
  const [decided, setDecided] = useState(0);
  const { beside, reveal, focus } = useSidePanel();

  const { place, listed, row, earlier, later, leave } = useOpenRequest(answer.rows, open);
  const show = (next: DeskRequest | undefined) => {
    if (next) address.set({ request: nameOf(next) }, { step: open === null });
  };
  useQueueKeys({
    next: () => show(later),
    previous: () => show(earlier),
    enter: () => (open ? focus() : show(answer.rows[0])),
    close: () => address.set({ request: null }),
  });
  const filter = (change: Record<string, string | null>) => address.set({ ...change, page: null });
  const isOver = overStatuses.includes(status);

  return (
    <Page
      title={pages.deskRequests.title}
      sub="Requests from members to decide. Keys: j and k move through the list, Enter opens a request."
    >
      <Stack gap={12}>
        <QueueProgress answer={answer} decided={decided} />
        <Suspense fallback={null}>
          <SavedQueues />
        </Suspense>
        <Grid columns={open === null ? 1 : 'split-wide'}>
          <Sheet flush aria-label="Requests">
            <DataTable
              caption={captionOf({ isOver, isUsual: sort === 'at' && direction === 'asc' })}
              columns={columnsOf({ isOver, beside: open !== null, kind })}
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
              onOpen={next => {
                address.set({ request: nameOf(next) }, { step: true });
                reveal();
              }}
              current={listed ? nameOf(listed) : openName}
              countLabel={place >= 0 ? `${(page - 1) * pageSize + place + 1} of ${answer.total}` : undefined}
              tools={<QueueFilters asked={asked} filter={filter} />}
              empty={
                <NoRequests
                  isOver={isOver}
                  isFiltered={q !== '' || kind !== null || age !== '0' || handler !== 'any'}
                  onClear={() => filter({ q: null, kind: null, age: null, handler: null })}
                />
              }
            />
          </Sheet>
          {open !== null && (
            <div ref={beside} tabIndex={-1} className={styles.beside}>
              <RequestPanel
                key={openName}
                named={open}
                row={row}
                isListed={listed !== null}
                onStep={{ earlier: earlier ? () => show(earlier) : null, later: later ? () => show(later) : null }}
                onDecided={() => {
                  setDecided(decided + 1);
                  leave();
                  // The buttons that had the focus are gone.
                  focus();
                }}
                onClose={() => address.set({ request: null })}
              />
            </div>
          )}
        </Grid>
      </Stack>
    </Page>
  );
}

/** The requests that are asked for, a page at a time. */
const useQueue = ({ kind, status, age, handler, sort, direction, q }: Asked, page: ReturnType<typeof useTablePage>['query']) =>
  useSteadyAnswer(desk.listRequests, {
    query: {
      ...(kind && { kind }),
      status,
      ...(age === 'late' ? { late: 'only' as const } : { days: Number(age) }),
      handler,
      sort,
      direction,
      q,
      ...page,
    },
  });

/** The open request in the list, with its neighbours there. */
function useOpenRequest(rows: readonly DeskRequest[], open: ReturnType<typeof named>) {
  const place = rows.findIndex(row => open !== null && isSameRequest(row, open));
  // A request that left the list by a decision keeps its name beside it.
  const [left, setLeft] = useState<DeskRequest | null>(null);
  const listed = rows[place] ?? null;
  const row = listed ?? (left && open && isSameRequest(left, open) ? left : null);
  return {
    place,
    listed,
    row,
    // Without an open one, or after one that has left the list, the list begins at its top.
    later: place >= 0 ? rows[place + 1] : rows[0],
    earlier: place > 0 ? rows[place - 1] : undefined,
    /** Notes that it may leave the list. */
    leave: () => setLeft(row),
  };
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

function QueueFilters({
  asked: { kind, status, age, handler, q },
  filter,
}: {
  asked: Asked;
  filter: (change: Record<string, string | null>) => void;
}) {
  return (
    <>
      <Select
        size="s"
        aria-label="Request type"
        value={kind ?? ''}
        options={[{ value: '', label: 'All types' }, ...deskKindNames.map(value => ({ value, label: deskKinds[value] }))]}
        onChange={event => filter({ kind: event.target.value || null })}
      />
      <Select
        size="s"
        aria-label="State"
        value={status}
        options={statuses.map(value => ({ value, label: statusLabels[value] }))}
        onChange={event => filter({ status: event.target.value === 'waiting' ? null : event.target.value })}
      />
      <Select
        size="s"
        aria-label="Age"
        value={age}
        options={ages.map(value => ({ value, label: ageLabels[value] }))}
        onChange={event => filter({ age: event.target.value === '0' ? null : event.target.value })}
      />
      <Select
        size="s"
        aria-label="Who has it"
        value={handler}
        options={handlers.map(value => ({ value, label: handlerLabels[value] }))}
        onChange={event => filter({ handler: event.target.value === 'any' ? null : event.target.value })}
      />
      <FilterSearch label="Account, reference, person" value={q} onChange={next => filter({ q: next })} className={styles.words} />
    </>
  );
}

/** How many requests of each type are open, and how many were decided here. */
function QueueProgress({ answer, decided }: { answer: AnswerOf<typeof desk.listRequests>; decided: number }) {
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
      {decided > 0 && <span>{decided === 1 ? 'One decided by you just now' : `${decided} decided by you just now`}</span>}
    </p>
  );
}

/** Reads filters and order from the address. */
function useAsked() {
  const address = useAddress();
  const kind = deskKindNames.find(name => name === address.get('kind')) ?? null;
  const status = address.oneOf('status', statuses);
  const age = address.oneOf('age', ages);
  const handler = address.oneOf('handler', handlers);
  const sort = address.oneOf('sort', deskSorts);
  const direction = address.oneOf('direction', ['asc', 'desc']);
  const q = address.get('q') ?? '';
  return { kind, status, age, handler, sort, direction, q };
}

const captionOf = ({ isOver, isUsual }: { isOver: boolean; isUsual: boolean }): string =>
  `${isOver ? 'Closed' : 'Open'} requests${isUsual ? (isOver ? ', newest first' : ', oldest first') : ''}`;

function columnsOf({ isOver, beside, kind }: { isOver: boolean; beside: boolean; kind: DeskKind | null }): Column<DeskRequest>[] {
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
      cell: ({ state, late }) => (
        <span className={styles.marks}>
          <StateMark state={stateWords[state].state}>{stateWords[state].words}</StateMark>
          {late && <StateMark state="invalid">Late</StateMark>}
        </span>
      ),
      text: ({ state, late }) => `${stateWords[state].words}${late ? ', late' : ''}`,
    },
  ];
  if (!beside)
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
  if (!beside && !isOver)
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
        cell: ({ handler }) => handler ?? <span className="quiet">no one yet</span>,
        text: ({ handler }) => handler ?? '',
      },
    );
  return columns;
}
