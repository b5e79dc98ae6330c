import { useAnswer } from '@portal/app-kit';
import { MINUTE_MS } from '@portal/contract/days';
import { type Feed, publicationFeeds } from '@portal/contract/publication/feeds';
import { DateText, Sheet, StateMark } from '@portal/ui';
import { type Column, DataTable, emptyTableState } from '@portal/ui/table/DataTable';

/** `12 min`, `3 h`, `2 days`: rounded down, as ages are. */
const minutesInWords = (minutes: number): string =>
  minutes < 120 ? `${minutes} min` : minutes < 2880 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1440)} days`;

const columnsAt = (at: string): Column<Feed>[] => [
  { id: 'feed', label: 'Feed', card: 'key', fixed: true, wrap: true, cell: ({ title }) => title },
  {
    id: 'state',
    label: 'State',
    card: 'state',
    fixed: true,
    cell: ({ asOf, most, late }) =>
      asOf === null ? (
        <StateMark state="pending">Not made yet</StateMark>
      ) : late ? (
        <StateMark state="invalid">Too old</StateMark>
      ) : (
        <StateMark state={most === null ? 'pending' : 'valid'}>{most === null ? 'Not watched' : 'Up to date'}</StateMark>
      ),
  },
  {
    id: 'age',
    label: 'Age',
    fixed: true,
    cell: ({ asOf }) =>
      asOf === null ? (
        <span className="quiet">–</span>
      ) : (
        minutesInWords(Math.max(0, Math.floor((Date.parse(at) - Date.parse(asOf)) / MINUTE_MS)))
      ),
  },
  {
    id: 'most',
    label: 'At most',
    fixed: true,
    cell: ({ most }) => (most === null ? <span className="quiet">Not watched</span> : minutesInWords(most)),
  },
  {
    id: 'asOf',
    label: 'As of',
    fixed: true,
    cell: ({ asOf }) => (asOf === null ? <span className="quiet">–</span> : <DateText value={asOf} />),
  },
];

/** Ages of everything that this registry publishes or sends. */
export function Feeds() {
  const { at, feeds } = useAnswer(publicationFeeds.listFeeds, {});
  return (
    <Sheet flush title="Feeds">
      <DataTable
        caption="Feeds"
        columns={columnsAt(at)}
        rows={feeds}
        rowId={({ name }) => name}
        state={emptyTableState}
        total={feeds.length}
      />
    </Sheet>
  );
}
