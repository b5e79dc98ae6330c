import type { SeenUpstreams as Seen } from '@portal/contract/rpki/aspas';
import { printAsNumber } from '@portal/number-resources';
import { Banner, Button, DateText, formatCount, Stack, StateMark } from '@portal/ui';
import { type Column, DataTable, emptyTableState } from '@portal/ui/table/DataTable';
import { useState } from 'react';

type Upstream = Seen['upstreams'][number];

const columns: Column<Upstream>[] = [
  { id: 'asn', label: 'Seen in front', card: 'key', fixed: true, look: 'mono', cell: ({ asn }) => printAsNumber(asn) },
  {
    id: 'listed',
    label: 'In the list',
    card: 'state',
    fixed: true,
    cell: ({ listed }) => <StateMark state={listed ? 'valid' : 'warning'}>{listed ? 'Listed' : 'Not listed'}</StateMark>,
  },
  { id: 'announcements', label: 'Announcements', fixed: true, cell: ({ announcements }) => formatCount(announcements) },
  { id: 'peers', label: 'Peers that see it', fixed: true, cell: ({ peers }) => formatCount(peers) },
];

/** Rows shown: those that most peers see. */
const SHOWN = 50;

/**
 * Networks that route collectors saw as upstreams of an AS, beside the list of its providers. @param onAdd adds those that many peers saw and that
 * the list lacks
 */
export function SeenUpstreams({ customer, seen, onAdd }: { customer: string; seen: Seen; onAdd: (numbers: readonly number[]) => void }) {
  const [table, setTable] = useState(emptyTableState);
  const { collectedAt, upstreams, lacking } = seen;
  if (collectedAt === null)
    return (
      <p className="small">
        No AS paths are known here: the tables of BGP that the registry imported have prefixes and origins alone, or there are none. Nothing
        can be said about which providers are missing.
      </p>
    );
  if (upstreams.length === 0)
    return (
      <p className="small">
        No network was seen in front of {customer} by route collectors on <DateText value={collectedAt} />.
      </p>
    );
  const missing = upstreams.filter(({ listed }) => !listed).map(({ asn }) => asn);
  return (
    <Stack gap={8}>
      <h4>Seen upstreams</h4>
      <p className="small">
        As route collectors saw it on <DateText value={collectedAt} />. Networks in front of {customer} are its providers, or peers and
        customers that pass its routes on; only providers belong in the list.
      </p>
      <DataTable
        caption="Seen upstreams"
        columns={columns}
        rows={upstreams.slice(0, SHOWN)}
        rowId={({ asn }) => String(asn)}
        state={table}
        onStateChange={setTable}
        total={Math.min(upstreams.length, SHOWN)}
      />
      {upstreams.length > SHOWN && <p className="small quiet">{formatCount(upstreams.length - SHOWN)} more are seen by fewer peers.</p>}
      {missing.length > 0 && (
        <Banner
          kind="warning"
          title={
            lacking.length > 0
              ? `Announcements through ${lacking.map(printAsNumber).join(', ')} would become ASPA-invalid.`
              : `${missing.map(printAsNumber).slice(0, 5).join(', ')} ${missing.length === 1 ? 'is' : 'are'} not in the list.`
          }
          actions={
            <Button size="s" icon="plus" onClick={() => onAdd(lacking.length > 0 ? lacking : missing)}>
              {`Add ${lacking.length > 0 ? lacking.length : missing.length} to the providers`}
            </Button>
          }
        >
          Networks that check ASPA drop them where that network is a provider of {customer}. Add what is one, backup links too.
        </Banner>
      )}
    </Stack>
  );
}
