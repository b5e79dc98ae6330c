import { useAccount, useAddress, useTablePlace } from '@portal/app-kit';
import { activityCategories, type ActivityLine } from '@portal/contract/activity-log/activity-log';
import { DateText, formatCount, StateMark } from '@portal/ui';
import { type Column, DataTable } from '@portal/ui/table/DataTable';
import styles from './ActivityLogsPage.module.css';

const columns: Column<ActivityLine>[] = [
  {
    id: 'what',
    label: 'What',
    cell: line => <What line={line} />,
    text: line => `${line.what} ${line.object}`.trim(),
    fixed: true,
    wrap: true,
    card: 'key',
  },
  {
    id: 'result',
    label: 'Result',
    cell: ({ refusal }) =>
      refusal ? (
        <span title={refusal.words}>
          <StateMark state="invalid">Refused</StateMark>
        </span>
      ) : (
        <StateMark state="valid" plain>
          Done
        </StateMark>
      ),
    text: ({ result, refusal }) => refusal?.code ?? result,
    card: 'state',
  },
  { id: 'actor', label: 'Who', cell: ({ actor }) => actor.name, wrap: true },
  { id: 'at', label: 'When', cell: ({ at }) => <DateText value={at} />, text: ({ at }) => at, look: 'quiet' },
  {
    id: 'address',
    label: 'From',
    cell: ({ address }) => address && <span className="mono">{address}</span>,
    text: ({ address }) => address ?? '',
    look: 'quiet',
    card: 'wide',
  },
  {
    id: 'secondFactor',
    label: 'Two-factor',
    cell: ({ secondFactor }) => (secondFactor === null ? '' : secondFactor ? 'used' : 'not used'),
    look: 'quiet',
    card: 'none',
  },
  { id: 'category', label: 'About', cell: ({ category }) => activityCategories[category], look: 'quiet', card: 'none' },
  { id: 'action', label: 'Action', cell: ({ action }) => action, look: 'mono', card: 'none' },
  { id: 'traceId', label: 'Trace id', cell: ({ traceId }) => traceId, look: 'mono', card: 'none' },
  { id: 'activityId', label: 'Line', cell: ({ activityId }) => formatCount(activityId), align: 'end', look: 'quiet', card: 'none' },
];

/** The action and its object; for a refused attempt, what was tried. */
function What({ line: { activityId, what, object, result, summary, refusal } }: { line: ActivityLine }) {
  const address = useAddress();
  const said = result === 'done' ? summary : what;
  const isNamed = object === '' || said.includes(object);
  return (
    <>
      <button type="button" className={styles.open} onClick={() => address.set({ line: String(activityId) })}>
        {said}
        {!isNamed && (
          <>
            {' '}
            <b>{object}</b>
          </>
        )}
      </button>
      {refusal && <span className={styles.why}>{refusal.words}</span>}
    </>
  );
}

type TableProps = Omit<Parameters<typeof DataTable<ActivityLine>>[0], 'caption' | 'columns' | 'rowId' | 'state' | 'onStateChange'>;

export function LineTable(props: TableProps) {
  const { accountName } = useAccount();
  const table = useTablePlace({
    id: 'account.activity',
    sorts: ['at'],
    hidden: ['secondFactor', 'category', 'action', 'traceId', 'activityId'],
    filters: [],
  });
  return (
    <DataTable
      caption={`Activity of ${accountName}, newest first`}
      columns={columns}
      rowId={line => String(line.activityId)}
      state={{ ...table.state, sort: null, page: 1 }}
      onStateChange={table.onStateChange}
      // Older lines are appended: there are no pages.
      pageSize={Number.MAX_SAFE_INTEGER}
      {...props}
    />
  );
}
