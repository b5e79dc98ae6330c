import type { Delegation } from '@portal/contract/resources/resources';
import { type AsRange, is4ByteAsNumber, parseAsRange, printAsdot } from '@portal/number-resources';
import { Badge, formatCount, ResourceName } from '@portal/ui';
import type { Column } from '@portal/ui/table/DataTable';
import { ledgerColumns } from './DelegationsTable.tsx';

const dotted = ({ first, last }: AsRange): string => (first === last ? printAsdot(first) : `${printAsdot(first)} - ${printAsdot(last)}`);
export const asWidth = ({ first, last }: AsRange): string =>
  is4ByteAsNumber(first) ? '4 bytes' : is4ByteAsNumber(last) ? '2 and 4 bytes' : '2 bytes';

/** Columns of AS numbers. */
export const asNumberColumns: Column<Delegation>[] = [
  {
    id: 'resource',
    label: 'AS number',
    cell: row => (
      <span title={`asdot: ${dotted(parseAsRange(row.resource))}`}>
        <ResourceName kind="asn" text={row.resource} strong />
      </span>
    ),
    text: row => row.resource,
    sortable: true,
    fixed: true,
  },
  { id: 'asdot', label: 'As asdot', cell: row => dotted(parseAsRange(row.resource)), look: 'mono', card: 'none' },
  { id: 'width', label: 'Width', cell: row => asWidth(parseAsRange(row.resource)) },
  { id: 'size', label: 'Numbers', cell: row => formatCount(BigInt(row.size)), sortable: true, align: 'end' },
  {
    id: 'type',
    label: 'Type',
    cell: row => <Badge kind="line">{row.type === 'allocated' ? 'Allocated' : 'Assigned'}</Badge>,
    sortable: true,
    card: 'state',
  },
  ...ledgerColumns,
];
