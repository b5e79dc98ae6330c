import type { CallAnswer } from '@portal/app-kit';
import { later } from '@portal/app-kit/page/later';
import type { reverseZoneFiles, ZoneFileRow } from '@portal/contract/reverse-dns/zone-files';
import { Link, StateMark } from '@portal/ui';
import { type Column, DataTable } from '@portal/ui/table/DataTable';
import { hrefOfCheck } from './zone-words.ts';

const ProblemList = later(() => import('../text/ProblemList.tsx'), 'ProblemList');

const actions = {
  create: { word: 'Create', mark: 'pending' },
  modify: { word: 'Change', mark: 'pending' },
  unchanged: { word: 'Unchanged', mark: 'info' },
  'not-held': { word: 'Not your space', mark: 'not-found' },
  refused: { word: 'Refused', mark: 'invalid' },
} as const;

const columns: Column<ZoneFileRow>[] = [
  { id: 'line', label: 'Line', cell: row => row.line, align: 'end', width: 60 },
  { id: 'zone', label: 'Zone', cell: row => <span className="mono">{row.zone}</span>, text: row => row.zone, fixed: true },
  { id: 'servers', label: 'Name servers', cell: row => <span className="mono">{row.servers.join(', ')}</span>, wrap: true },
  {
    id: 'ds',
    label: 'DS',
    cell: row =>
      row.ds.length === 0 ? (
        <span className="quiet">none</span>
      ) : (
        <span className="mono">{row.ds.map(each => each.split(' ')[0]).join(', ')}</span>
      ),
  },
  {
    id: 'action',
    label: 'Action',
    cell: row => (
      <>
        <StateMark state={actions[row.action].mark}>{actions[row.action].word}</StateMark>{' '}
        {row.action === 'refused' && (
          <span className="small">{row.outcome?.problems.find(({ severity }) => severity === 'error')?.message}</span>
        )}
      </>
    ),
    card: 'state',
    wrap: true,
  },
  { id: 'check', label: 'Check', cell: row => <Link href={hrefOfCheck(row.zone)}>Check servers</Link> },
];

type Props = Pick<CallAnswer<typeof reverseZoneFiles.readZoneFile>, 'rows' | 'problems'>;

/** The problems of a file, and its zones, each with its action. */
export function ZonesOfFile({ rows, problems }: Props) {
  return (
    <>
      {problems.length > 0 && (
        <div style={{ padding: '0 16px' }}>
          <ProblemList findings={problems.map(each => ({ ...each, code: each.message, attribute: null }))} />
        </div>
      )}
      {rows.length > 0 && (
        <DataTable
          caption="Zones of the file"
          columns={columns}
          rows={rows}
          rowId={row => row.zone}
          state={{ sort: null, hidden: [], order: [], filters: {}, page: 1 }}
        />
      )}
    </>
  );
}
