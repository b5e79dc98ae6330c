import { recordAddress } from '@portal/contract/records/record-address';
import type { RoutedSpace, SeenAnnouncement } from '@portal/contract/routes/routed-space';
import { containsRange, parsePrefix, printAsNumber } from '@portal/number-resources';
import { DateText, formatCount, Link, ResourceName, Sheet, StateMark } from '@portal/ui';
import { type Column, DataTable, emptyTableState } from '@portal/ui/table/DataTable';
import { useState } from 'react';
import { hrefOfNewRoute, routesPath, validityWords } from '../routes/route-words.ts';

type Row = {
  id: string;
  prefix: string;
  asn: number;
  peers: number | null;
  validity: SeenAnnouncement['validity'] | null;
  roas: SeenAnnouncement['roas'];
  roaCount: number;
};

/** `AS64500 198.18.64.0/23-24`; the prefix's own length is not repeated. */
const roaWords = ({ roas, roaCount }: Row): string =>
  roas
    .map(({ prefix, asn, maxLength }) => `${printAsNumber(asn)} ${prefix}${prefix.endsWith(`/${maxLength}`) ? '' : `-${maxLength}`}`)
    .join(', ') + (roaCount > roas.length ? ` and ${formatCount(roaCount - roas.length)} more` : '');

function columnsFor(family: 'ipv4' | 'ipv6'): Column<Row>[] {
  return [
    {
      id: 'prefix',
      label: 'Prefix',
      cell: ({ prefix }) => <ResourceName kind={family} text={prefix} href={recordAddress(prefix)} />,
      text: ({ prefix }) => prefix,
      fixed: true,
    },
    {
      id: 'asn',
      label: 'Origin',
      cell: ({ asn }) => <span className="mono">{printAsNumber(asn)}</span>,
      text: ({ asn }) => printAsNumber(asn),
    },
    {
      id: 'state',
      label: 'The world sees',
      cell: ({ validity, peers }) =>
        validity === null ? (
          <StateMark state="closed">Not announced</StateMark>
        ) : (
          <span>
            <StateMark state={validityWords[validity].state}>{validityWords[validity].word}</StateMark>{' '}
            <span className="small quiet nw">{formatCount(peers ?? 0)} peers</span>
          </span>
        ),
      text: ({ validity }) => (validity === null ? 'Not announced' : validityWords[validity].word),
      card: 'state',
    },
    {
      id: 'roas',
      label: 'ROA',
      cell: row => (row.roas.length === 0 ? <span className="quiet">No ROA</span> : <span className="mono small">{roaWords(row)}</span>),
      text: row => roaWords(row),
      wrap: true,
      card: 'wide',
    },
    {
      id: 'act',
      label: 'Route',
      cell: ({ prefix, asn, validity }) =>
        validity === null || validity === 'valid' ? (
          <Link href={`${routesPath}?q=${encodeURIComponent(prefix)}`}>Open</Link>
        ) : (
          <Link href={hrefOfNewRoute({ prefix, asn })}>Add a ROA</Link>
        ),
      text: () => '',
    },
  ];
}
const columns = { ipv4: columnsFor('ipv4'), ipv6: columnsFor('ipv6') };

/** The announcements in the visible part of a map, each with the ROAs that decide it, and ROAs without an announcement. */
export function SeenRoutes({ space: { announcements, silent, collectedAt, more }, view }: { space: RoutedSpace; view: string }) {
  const [table, setTable] = useState(emptyTableState);
  const block = parsePrefix(view);
  const rows: Row[] = [
    ...announcements.map(each => ({ id: `${each.prefix} ${each.asn}`, ...each })),
    ...silent.map(roa => ({
      id: `silent ${roa.prefix} ${roa.asn} ${roa.maxLength}`,
      ...roa,
      peers: null,
      validity: null,
      roas: [roa],
      roaCount: 1,
    })),
  ].filter(({ prefix }) => containsRange(block, parsePrefix(prefix)));
  return (
    <Sheet
      flush
      title={`What the world sees of ${view}`}
      {...(collectedAt && {
        sub: (
          <>
            Collected <DateText value={collectedAt} />
          </>
        ),
      })}
    >
      {rows.length === 0 ? (
        <p className="quiet small" style={{ padding: '12px 16px' }}>
          {collectedAt === null ? 'This registry has no table of announcements yet.' : 'Nothing is announced here, and there is no ROA.'}
        </p>
      ) : (
        <DataTable
          caption={`Announcements and ROAs in ${view}`}
          columns={columns[block.family]}
          rows={rows}
          rowId={({ id }) => id}
          rowLabel={({ prefix, asn }) => `${prefix} ${printAsNumber(asn)}`}
          state={table}
          onStateChange={setTable}
          countLabel={`${formatCount(rows.length)} ${rows.length === 1 ? 'entry' : 'entries'}${more ? ', and more in smaller blocks' : ''}`}
        />
      )}
    </Sheet>
  );
}
