import { useSteadyAnswer } from '@portal/app-kit';
import { useTablePage } from '@portal/app-kit/place/table-page';
import { type LeftOutZone, reverseDnsLeftOut } from '@portal/contract/reverse-dns/left-out';
import { DateText, EmptyState, Link, Sheet, StateMark } from '@portal/ui';
import { type Column, DataTable } from '@portal/ui/table/DataTable';

const columns: Column<LeftOutZone>[] = [
  { id: 'zone', label: 'Zone', card: 'key', fixed: true, look: 'mono', wrap: true, cell: ({ zone }) => zone },
  {
    id: 'state',
    label: 'State',
    card: 'state',
    fixed: true,
    cell: ({ whole }) => <StateMark state={whole ? 'invalid' : 'warning'}>{whole ? 'Left out' : 'Partly left out'}</StateMark>,
  },
  {
    id: 'account',
    label: 'Account',
    fixed: true,
    cell: ({ accountName, source }) =>
      accountName === null ? (
        <span className="quiet">{source === null ? 'None' : `Records of ${source}`}</span>
      ) : (
        <Link href={`/desk/accounts/${encodeURIComponent(accountName)}`}>{accountName}</Link>
      ),
  },
  { id: 'why', label: 'Why', fixed: true, wrap: true, cell: ({ reasons }) => reasons.join('. ') },
  { id: 'since', label: 'Since', fixed: true, cell: ({ since }) => <DateText value={since} shape="date" /> },
  {
    id: 'notified',
    label: 'Notified',
    fixed: true,
    cell: ({ notifiedAt }) => (notifiedAt ? <DateText value={notifiedAt} shape="date" /> : <span className="quiet">Not yet</span>),
  },
];

/** Delegations that name servers wouldn't load: the rest of the zone is published without them. */
export function LeftOutZones() {
  const { query, table } = useTablePage(20);
  const { answer, stale } = useSteadyAnswer(reverseDnsLeftOut.listLeftOut, { query });
  return (
    <Sheet flush title="Left out of reverse zones">
      <DataTable
        caption="Left out of reverse zones"
        columns={columns}
        rows={answer.rows}
        rowId={({ zone }) => zone}
        {...table}
        total={answer.total}
        loading={stale}
        empty={
          <EmptyState title="Every delegation is published" picture={false}>
            Delegations that name servers wouldn’t load appear here. Their contacts are notified, and the rest of the zone is published.
          </EmptyState>
        }
      />
    </Sheet>
  );
}
