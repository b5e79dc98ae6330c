import { Page, useAddress, useSteadyAnswer } from '@portal/app-kit';
import { accountClosures, type StaffAccountClosure } from '@portal/contract/account-closures';
import { organisationChanges, registryFields, type StaffOrganisationChange } from '@portal/contract/organisation-changes';
import { pages } from '@portal/contract/pages';
import { Button, DateText, EmptyState, Grid, Panel, SearchInput, Segmented, Sheet, StateMark } from '@portal/ui';
import { type Column, DataTable, emptyTableState } from '@portal/ui/DataTable';
import { type ReactNode, useRef, useState } from 'react';
import { useBeside } from '../beside.ts';
import { ChangePanel } from './ChangePanel.tsx';
import { ClosurePanel } from './ClosurePanel.tsx';
import { useDeciding } from './deciding.ts';
import styles from './OrganisationChangesPage.module.css';
import { changeStates, closureStates, handlingWords, valueWords } from './organisation-words.ts';

const pageSize = 20;

/** For registry staff: what members ask to change about their organisations, and accounts that are to end. */
export default function OrganisationChangesPage() {
  const kind = useAddress().oneOf('kind', ['changes', 'closures']);
  return (
    <Page
      title={pages.organisationChanges.title}
      sub="Legal names, registration numbers and types of organisations, and the end of accounts, are for the registry to approve."
    >
      {kind === 'changes' ? <Changes /> : <Closures />}
    </Page>
  );
}

/** What both lists take from the address. */
function useQueue() {
  const address = useAddress();
  const status = address.oneOf('status', ['waiting', 'decided']);
  const q = address.get('q') ?? '';
  const asked = Number(address.get('page'));
  const page = Number.isInteger(asked) && asked > 0 ? asked : 1;
  const query = { status: status === 'waiting' ? 'OPEN' : 'RESOLVED', q, offset: (page - 1) * pageSize, limit: pageSize } as const;
  return { address, status, q, page, query, openId: address.get('request') };
}

function Changes() {
  const queue = useQueue();
  const { answer, stale } = useSteadyAnswer(organisationChanges.listStaffOrganisationChanges, { query: queue.query });
  const deciding = useDeciding<StaffOrganisationChange>(organisationChanges.listStaffOrganisationChanges);
  const shown = [deciding.latest, ...answer.rows].find(row => row?.changeId === queue.openId);
  return (
    <Queue
      {...queue}
      columns={changeColumns}
      rows={answer.rows}
      total={answer.total}
      loading={stale}
      idOf={row => row.changeId}
      panel={
        shown === undefined || shown === null
          ? undefined
          : onClose => <ChangePanel key={shown.changeId} change={shown} deciding={deciding} onClose={onClose} />
      }
    />
  );
}

function Closures() {
  const queue = useQueue();
  const { answer, stale } = useSteadyAnswer(accountClosures.listStaffAccountClosures, { query: queue.query });
  const deciding = useDeciding<StaffAccountClosure>(accountClosures.listStaffAccountClosures);
  const shown = [deciding.latest, ...answer.rows].find(row => row?.closureId === queue.openId);
  return (
    <Queue
      {...queue}
      columns={closureColumns}
      rows={answer.rows}
      total={answer.total}
      loading={stale}
      idOf={row => row.closureId}
      panel={
        shown === undefined || shown === null
          ? undefined
          : onClose => <ClosurePanel key={shown.closureId} closure={shown} deciding={deciding} onClose={onClose} />
      }
    />
  );
}

type QueueProps<Row> = ReturnType<typeof useQueue> & {
  columns: Column<Row>[];
  rows: readonly Row[];
  total: number;
  loading: boolean;
  idOf: (row: Row) => string;
  panel: ((onClose: () => void) => ReactNode) | undefined;
};

/** A list with its filters, and one request beside it. */
function Queue<Row>({ address, status, q, page, openId, columns, rows, total, loading, idOf, panel }: QueueProps<Row>) {
  const { beside, reveal } = useBeside();
  const close = () => address.set({ request: null });
  return (
    <Grid columns={openId === null ? 1 : 'split-wide'}>
      <Sheet flush aria-label="Requests">
        <DataTable
          caption={status === 'waiting' ? 'Requests that wait' : 'Requests that were decided, newest first'}
          columns={columns}
          rows={rows}
          rowId={idOf}
          state={{ ...emptyTableState, page }}
          onStateChange={next => address.set({ page: next.page > 1 ? String(next.page) : null })}
          total={total}
          pageSize={pageSize}
          loading={loading}
          onOpen={row => {
            address.set({ request: idOf(row) }, { step: true });
            reveal();
          }}
          current={openId}
          tools={
            <>
              <Segmented
                label="What is asked for"
                value={address.oneOf('kind', ['changes', 'closures'])}
                options={[
                  { value: 'changes', label: 'Changes' },
                  { value: 'closures', label: 'Closures' },
                ]}
                onChange={next => address.set({ kind: next === 'changes' ? null : next, page: null, request: null })}
              />
              <Segmented
                label="Which requests"
                value={status}
                options={[
                  { value: 'waiting', label: 'Waiting' },
                  { value: 'decided', label: 'Decided' },
                ]}
                onChange={next => address.set({ status: next === 'waiting' ? null : next, page: null, request: null })}
              />
              <Words value={q} onChange={next => address.set({ q: next, page: null })} />
            </>
          }
          empty={
            q === '' ? (
              <EmptyState title={status === 'waiting' ? 'Nothing waits' : 'Nothing was decided yet'} picture={false} />
            ) : (
              <EmptyState
                title={`Nothing matches “${q}”`}
                picture={false}
                action={<Button onClick={() => address.set({ q: null, page: null })}>Show all</Button>}
              >
                The search looks at account names, references and what was asked for.
              </EmptyState>
            )
          }
        />
      </Sheet>
      {openId !== null && (
        <div ref={beside} tabIndex={-1} className={styles.beside}>
          {panel ? (
            panel(close)
          ) : (
            <Panel title="Not in this list" onClose={close}>
              <p className="small muted">
                The request was decided or withdrawn meanwhile, or the search leaves it out. Look under{' '}
                {status === 'waiting' ? 'Decided' : 'Waiting'}.
              </p>
            </Panel>
          )}
        </div>
      )}
    </Grid>
  );
}

const changeColumns: Column<StaffOrganisationChange>[] = [
  { id: 'reference', label: 'Reference', fixed: true, card: 'wide', cell: row => row.reference },
  {
    id: 'wantedValue',
    label: 'Asked for',
    fixed: true,
    wrap: true,
    card: 'key',
    cell: row => (
      <span>
        <span className="quiet">{registryFields[row.field].label}:</span> {valueWords(row.field, row.wantedValue)}
      </span>
    ),
    text: row => row.wantedValue,
  },
  { id: 'accountName', label: 'Account', fixed: true, card: 'wide', cell: row => row.accountName },
  {
    id: 'state',
    label: 'State',
    fixed: true,
    card: 'state',
    cell: row => <StateMark state={changeStates[row.state].state}>{staffWords(row.state)}</StateMark>,
    text: row => staffWords(row.state),
  },
  { id: 'requestedAt', label: 'Since', fixed: true, cell: row => <DateText value={row.requestedAt} shape="date" /> },
];

/** How far a change is, for those who decide it. */
const staffWords = (state: StaffOrganisationChange['state']): string =>
  state === 'SUBMITTED' ? 'new' : state === 'INFO_REQUESTED' ? 'member was asked' : changeStates[state].words;

const closureColumns: Column<StaffAccountClosure>[] = [
  { id: 'accountName', label: 'Account', fixed: true, card: 'key', cell: row => row.accountName },
  {
    id: 'closeOn',
    label: 'Closes on',
    fixed: true,
    cell: row => <DateText value={row.closeOn} shape="date" format={{ timeZone: 'UTC', hourCycle: 'h23' }} />,
    text: row => row.closeOn,
  },
  { id: 'resources', label: 'Number resources', fixed: true, wrap: true, card: 'wide', cell: row => handlingWords[row.resources] },
  {
    id: 'state',
    label: 'State',
    fixed: true,
    card: 'state',
    cell: row => (
      <StateMark state={closureStates[row.state].state}>{row.state === 'SUBMITTED' ? 'new' : closureStates[row.state].words}</StateMark>
    ),
    text: row => closureStates[row.state].words,
  },
  { id: 'requestedAt', label: 'Since', fixed: true, cell: row => <DateText value={row.requestedAt} shape="date" /> },
];

/** Long enough for the next key to follow. */
const pauseMs = 200;

function Words({ value, onChange }: { value: string; onChange: (q: string) => void }) {
  // What is being typed counts until the address says something else (a link, the way back).
  const [typed, setTyped] = useState({ text: value, above: value });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const type = (text: string) => {
    clearTimeout(timer.current);
    setTyped({ text, above: value });
    timer.current = setTimeout(() => {
      setTyped({ text, above: text.trim() });
      onChange(text.trim());
    }, pauseMs);
  };
  return (
    <SearchInput
      label="Account, reference or value"
      value={typed.above === value ? typed.text : value}
      maxLength={100}
      spellCheck={false}
      autoComplete="off"
      className={styles.words}
      onChange={type}
    />
  );
}
