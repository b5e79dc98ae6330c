import { useAnswer } from '@portal/app-kit';
import { type SharedHandle, whoisSharedHandles } from '@portal/contract/whois/shared-handles';
import { DateText, EmptyState, formatCount, Sheet } from '@portal/ui';
import { type Column, DataTable, emptyTableState } from '@portal/ui/table/DataTable';
import { useState } from 'react';

const columns: Column<SharedHandle>[] = [
  { id: 'handle', label: 'Handle', card: 'key', fixed: true, look: 'mono', cell: ({ handle }) => handle },
  {
    id: 'objects',
    label: 'Objects',
    fixed: true,
    wrap: true,
    cell: ({ objects }) => (
      <ul>
        {objects.map(each => (
          <li key={each.class}>
            <span className="mono">{each.class}</span> <bdi>{each.name}</bdi>
            <br />
            <span className="quiet small">
              {each.maintainers.join(', ')}, changed <DateText value={each.changedAt} shape="date" />
            </span>
          </li>
        ))}
      </ul>
    ),
  },
  {
    id: 'referrers',
    label: 'Named by',
    fixed: true,
    cell: ({ referrers }) => `${formatCount(referrers)} ${referrers === 1 ? 'object' : 'objects'}`,
  },
];

/** Handles that name several objects: objects that name such a handle mean each of them. */
export function SharedHandles() {
  const { rows } = useAnswer(whoisSharedHandles.listSharedHandles, {});
  const [table, setTable] = useState(emptyTableState);
  return (
    <Sheet flush title="Handles with several objects">
      <DataTable
        caption="Handles with several objects"
        columns={columns}
        rows={rows}
        rowId={({ handle }) => handle}
        state={table}
        onStateChange={setTable}
        empty={
          <EmptyState title="Every handle names one object" picture={false}>
            Handles from before this was a rule appear here. Ask the maintainer of the newer object to make one with another handle and
            delete it.
          </EmptyState>
        }
      />
    </Sheet>
  );
}
