import { read, type ReadsOf, tableRows, useAccount, useAddress, useSteadyRead, useTablePlace } from '@portal/app-kit';
import { recordAddress } from '@portal/contract/records/record-address';
import { type Roa, roaStates, rpki, type RpkiStatus } from '@portal/contract/rpki/rpki';
import { Button, DateText, EmptyState, formatCount, LinkButton, ResourceName, SearchInput, Sheet, StateMark } from '@portal/ui';
import { type Column, DataTable } from '@portal/ui/table/DataTable';
import { FilterSelect } from '@portal/ui/table/FilterSelect';
import { FirstRead } from '../shell/FirstRead.tsx';
import { TableSkeleton } from '../shell/TableSkeleton.tsx';
import { kindOf } from './resource-kind.ts';
import { originWords, roaStateWords } from './roa-words.ts';

const pageSize = 50;
const routes = '/resources/routes/index';

const columns: Column<Roa>[] = [
  {
    id: 'prefix',
    label: 'Prefix',
    cell: ({ prefix }) => <ResourceName kind={kindOf(prefix)} text={prefix} href={recordAddress(prefix)} strong />,
    text: ({ prefix }) => prefix,
    fixed: true,
  },
  { id: 'asn', label: 'Origin', cell: ({ asn }) => <ResourceName kind="asn" text={originWords(asn)} />, text: ({ asn }) => `AS${asn}` },
  {
    id: 'maxLength',
    label: 'Max length',
    cell: ({ maxLength }) => `/${maxLength}`,
    text: ({ maxLength }) => String(maxLength),
    look: 'mono',
  },
  {
    id: 'state',
    label: 'State',
    cell: ({ state }) => <StateMark state={roaStateWords[state][0]}>{roaStateWords[state][1]}</StateMark>,
    text: ({ state }) => roaStateWords[state][1],
    card: 'state',
  },
  { id: 'comment', label: 'Comment', cell: ({ comment }) => comment, look: 'quiet', wrap: true, card: 'wide' },
  {
    id: 'expiresAt',
    label: 'Signed until',
    cell: ({ expiresAt }) => expiresAt && <DateText value={expiresAt} shape="date" />,
    text: ({ expiresAt }) => expiresAt ?? '',
    look: 'quiet',
  },
];

const place = { sorts: ['prefix'], filters: ['q', 'state'] } as const;

/** The ROAs that an address of the page asks for. */
export function roasOf({ account, address }: ReadsOf) {
  const { page, filter } = tableRows(address, place);
  const state = roaStates.find(each => each === filter('state'));
  return read(rpki.listRoas, {
    account,
    query: { q: filter('q'), ...(state && { state }), offset: (page - 1) * pageSize, limit: pageSize },
  });
}

const useRoas = () => roasOf({ account: useAccount().accountName, address: useAddress() });

/** The ROAs of the account, read-only. They are changed under Routes, where their effect is shown first. */
export function RoaList({ status }: { status: RpkiStatus }) {
  const shown = useRoas();
  const { roas, published, pending } = status.counts;
  return (
    <Sheet
      flush
      title="ROAs"
      meta={
        roas === 0
          ? undefined
          : `${formatCount(published)} of ${formatCount(roas)} published${pending > 0 ? `, ${formatCount(pending)} in the next publication` : ''}`
      }
      actions={
        <LinkButton size="s" href={routes}>
          Change routes and ROAs
        </LinkButton>
      }
    >
      <FirstRead reads={[shown]} fallback={<TableSkeleton rows={4} />}>
        <Roas />
      </FirstRead>
    </Sheet>
  );
}

function Roas() {
  const { accountName: account } = useAccount();
  const table = useTablePlace({ id: 'rpki.roas', ...place });
  const { answer, stale } = useSteadyRead(useRoas());
  const isFiltered = Object.keys(table.state.filters).length > 0;
  if (answer.total === 0 && !isFiltered)
    return (
      <EmptyState title="No ROAs yet" action={<LinkButton href={routes}>Add the first one</LinkButton>}>
        Without a ROA, validators call your announcements “not found”. A ROA makes them valid.
      </EmptyState>
    );
  return (
    <DataTable
      caption={`ROAs of ${account}`}
      columns={columns}
      rows={answer.rows}
      rowId={({ roaId }) => roaId}
      rowLabel={({ prefix, asn }) => `${prefix} ${originWords(asn)}`}
      state={{ ...table.state, sort: null }}
      onStateChange={table.onStateChange}
      total={answer.total}
      pageSize={pageSize}
      loading={stale}
      countLabel={`${formatCount(answer.total)} ${answer.total === 1 ? 'ROA' : 'ROAs'}`}
      tools={
        <>
          <SearchInput label="Prefix, AS or comment" value={table.filter('q')} onChange={q => table.setFilters({ q })} />
          <FilterSelect
            label="State"
            value={roaStates.find(each => each === table.filter('state')) ?? ''}
            onChange={value => table.setFilters({ state: value })}
            options={[{ value: '', label: 'Every state' }, ...roaStates.map(each => ({ value: each, label: roaStateWords[each][1] }))]}
          />
        </>
      }
      empty={
        <EmptyState
          title="No matches"
          picture={false}
          action={<Button onClick={() => table.setFilters({ q: null, state: null })}>Clear the filters</Button>}
        >
          No ROA of {account} matches these filters.
        </EmptyState>
      }
    />
  );
}
