import { read, useAccount, useAddress, useSteadyAnswer, useTablePlace } from '@portal/app-kit';
import { pages } from '@portal/contract/pages';
import type { RequestKind } from '@portal/contract/requests/request-form';
import { type ResourceRequest, requests } from '@portal/contract/requests/requests';
import { DateText, EmptyState, formatCount, Link, Sheet, StateMark } from '@portal/ui';
import { type Column, DataTable } from '@portal/ui/table/DataTable';
import { caseAddress, caseState, nextMoveWords } from '../shell/case-words.ts';
import { FirstRead } from '../shell/FirstRead.tsx';
import { TableSkeleton } from '../shell/TableSkeleton.tsx';

const pageSize = 20;
const columns: Column<ResourceRequest>[] = [
  {
    id: 'asked',
    label: 'Request',
    cell: row => <Link href={caseAddress(row)}>{row.asked}</Link>,
    text: ({ asked }) => asked,
    wrap: true,
    fixed: true,
    card: 'key',
  },
  { id: 'reference', label: 'Reference', cell: ({ reference }) => <span className="nw">{reference}</span> },
  {
    id: 'state',
    label: 'State',
    cell: row => <StateMark state={caseState(row).state}>{caseState(row).words}</StateMark>,
    text: row => caseState(row).words,
    card: 'state',
  },
  {
    id: 'nextMove',
    label: 'Next move',
    cell: ({ place, state, ...row }) =>
      place === null
        ? nextMoveWords(row)
        : `${nextMoveWords(row)}, number ${place} ${state === 'on-hold' ? 'on the waiting list' : 'in the queue'}`,
    wrap: true,
  },
  { id: 'otherParty', label: 'Other party', cell: ({ otherParty }) => otherParty ?? '' },
  { id: 'resources', label: 'Result', cell: ({ resources }) => resources.join(', '), look: 'mono', wrap: true },
  { id: 'since', label: 'Since', cell: ({ since }) => <DateText value={since} />, look: 'quiet' },
];

/** Columns that are usually empty are left out. */
const has = ({ otherParty, resources }: ResourceRequest, id: string): boolean =>
  id === 'otherParty' ? otherParty !== null : id !== 'resources' || resources.length > 0;

/** The requests and transfers of the account, open ones first, with who has the next move. */
export function CasesTable({
  kind,
  queued,
}: {
  kind?: RequestKind /** The queue is mentioned elsewhere on the page. */;
  queued?: boolean;
}) {
  const { accountName: account } = useAccount();
  return (
    <Sheet title="Your requests" flush>
      <FirstRead
        reads={[read(requests.listRequests, { account, query: { kind, limit: pageSize, offset: 0 } })]}
        fallback={<TableSkeleton />}
      >
        <Found kind={kind} queued={queued} />
      </FirstRead>
    </Sheet>
  );
}

function Found({ kind, queued }: { kind?: RequestKind | undefined; queued: boolean | undefined }) {
  const { accountName: account } = useAccount();
  const address = useAddress();
  const table = useTablePlace({ id: 'requests', sorts: ['since'], filters: [] });
  const { answer, stale } = useSteadyAnswer(requests.listRequests, {
    account,
    query: { kind, limit: pageSize, offset: (table.state.page - 1) * pageSize },
  });
  const { rows, total, queue } = answer;
  return (
    <DataTable
      caption={`Requests of ${account}`}
      columns={columns.filter(({ id }) => rows.some(row => has(row, id)))}
      rows={rows}
      rowId={({ requestId }) => requestId}
      rowLabel={({ reference }) => reference}
      state={table.state}
      onStateChange={table.onStateChange}
      total={total}
      pageSize={pageSize}
      loading={stale}
      onOpen={row => address.go(caseAddress(row))}
      countLabel={<span className="nw">{total === 1 ? '1 request' : `${formatCount(total)} requests`}</span>}
      tools={
        queued ? undefined : (
          <span className="small quiet">
            {queue.medianDays === null
              ? `${queue.waiting} pending with the registry.`
              : `Median answer time of the last 30 days: ${queue.medianDays} working days.`}
          </span>
        )
      }
      empty={
        kind ? (
          <EmptyState title="No requests of this kind yet" picture={false}>
            They appear here with their state and who has the next move. Others, and transfers and returns, are in the list of{' '}
            <Link href={pages.transferSelect.path}>all your requests</Link>.
          </EmptyState>
        ) : (
          <EmptyState title="No requests yet" picture={false}>
            Requests, transfers and returns appear here with their state and who has the next move.
          </EmptyState>
        )
      }
    />
  );
}
