import { Page, useAddress, useKit, usePlace, useRefusal, useSteadyAnswer } from '@portal/app-kit';
import { useTablePage } from '@portal/app-kit/place/table-page';
import { findPage, pages } from '@portal/contract/pages';
import { type PoolRange, type RangeState, rangeStates, resourcePools } from '@portal/contract/resources/pools';
import { Breadcrumb, Button, DateText, EmptyState, formatCount, Link, ResourceName, Select, Sheet, StateMark } from '@portal/ui';
import { type Column, DataTable } from '@portal/ui/table/DataTable';
import { FilterSearch } from '@portal/ui/table/FilterSearch';
import { type ReactNode, useState } from 'react';
import { amount, poolNames } from '../shell/pool-words.ts';
import { QuarantineDialog, ReleaseDialog, ReserveDialog } from './RangeDialogs.tsx';

const marks: Record<RangeState, { state: 'valid' | 'pending' | 'warning' | 'closed' | 'info'; words: string }> = {
  available: { state: 'valid', words: 'Available' },
  held: { state: 'pending', words: 'Held for a request' },
  quarantine: { state: 'warning', words: 'Quarantine' },
  reserved: { state: 'closed', words: 'Reserved' },
  delegated: { state: 'info', words: 'Delegated' },
};
type Kind = keyof typeof poolNames;
type Act = { act: 'reserve' | 'release' | 'quarantine'; range: PoolRange | null };

const columnsOf = (kind: Kind, acts: (range: PoolRange) => ReactNode): Column<PoolRange>[] => [
  {
    id: 'resource',
    label: 'Range',
    card: 'key',
    fixed: true,
    wrap: true,
    cell: ({ resource, prefixes, morePrefixes }) =>
      prefixes.length === 0 ? (
        <ResourceName kind={kind} text={resource} />
      ) : (
        <>
          {prefixes.map(prefix => (
            <span key={prefix}>
              <ResourceName kind={kind} text={prefix} />{' '}
            </span>
          ))}
          {morePrefixes > 0 && <span className="quiet small">and {formatCount(morePrefixes)} more</span>}
        </>
      ),
  },
  { id: 'size', label: 'Size', fixed: true, wrap: true, cell: ({ size }) => amount(kind, BigInt(size)) },
  {
    id: 'state',
    label: 'State',
    fixed: true,
    card: 'state',
    cell: ({ state }) => <StateMark state={marks[state].state}>{marks[state].words}</StateMark>,
  },
  {
    id: 'for',
    label: 'For',
    fixed: true,
    wrap: true,
    cell: ({ accountName, orgName, reference, reason, state }) =>
      accountName !== null ? (
        <>
          <Link href={`/desk/accounts/${encodeURIComponent(accountName)}`}>{accountName}</Link>
          <br />
          <span className="quiet small">{orgName}</span>
        </>
      ) : reference !== null ? (
        <Link href={`/desk/requests/resources-${reference.replace('REQ-', '')}`}>{reference}</Link>
      ) : (
        (reason ?? (state === 'reserved' && <span className="quiet">No reason recorded</span>))
      ),
  },
  {
    id: 'until',
    label: 'Until',
    fixed: true,
    cell: ({ until, state }) =>
      until ? <DateText value={until} shape="date" /> : state === 'reserved' && <span className="quiet">Staff release it</span>,
  },
  { id: 'acts', label: 'Action', fixed: true, cell: acts },
];

/** /desk/pools/{kind}: the ranges of one pool, free or not, and what staff change about those without a holder. */
export default function PoolPage() {
  const address = useAddress();
  const { environment } = useKit();
  const kindName = findPage(usePlace().path, environment.product).params['kind'] ?? '';
  const state = address.oneOf('state', ['all', ...rangeStates]);
  const q = address.get('q') ?? '';
  const { query, table } = useTablePage(20);
  const { answer, stale } = useSteadyAnswer(resourcePools.listPoolRanges, {
    kind: kindName,
    query: { q, ...(state !== 'all' && { state }), ...query },
  });
  const refusal = useRefusal(resourcePools.reserveRange);
  const [open, setOpen] = useState<Act | null>(null);
  const { kind, counts } = answer;
  const button = (act: Act['act'], range: PoolRange, label: string) => (
    <Button size="s" refusal={refusal} aria-label={`${label}: ${range.resource}`} onClick={() => setOpen({ act, range })}>
      {label}
    </Button>
  );
  const acts = (range: PoolRange) =>
    range.state === 'available'
      ? button('reserve', range, 'Reserve')
      : range.state === 'reserved'
        ? button('release', range, 'Release')
        : range.state === 'quarantine'
          ? button('quarantine', range, 'Change the end')
          : null;
  const close = () => setOpen(null);
  return (
    <Page
      title={pages.deskPool.title}
      heading={`Pool: ${poolNames[kind]}`}
      sub="A range that is reserved or in quarantine can’t be delegated until it’s free again."
      breadcrumb={<Breadcrumb items={[{ label: pages.deskPools.title, href: pages.deskPools.path }, { label: poolNames[kind] }]} />}
      actions={
        <Button refusal={refusal} onClick={() => setOpen({ act: 'reserve', range: null })}>
          Reserve a range
        </Button>
      }
    >
      <Sheet flush aria-label={`Ranges of ${poolNames[kind]}`}>
        <DataTable
          caption="Ranges, in order of their numbers"
          columns={columnsOf(kind, acts)}
          rows={answer.rows}
          rowId={({ rangeId }) => rangeId}
          {...table}
          total={answer.total}
          loading={stale}
          tools={
            <>
              <FilterSearch
                label="Range, account or reason"
                value={q}
                onChange={next => address.set({ q: next.trim() || null, page: null })}
              />
              <Select
                size="s"
                aria-label="State"
                value={state}
                options={[
                  { value: 'all', label: 'All states' },
                  ...rangeStates.map(value => ({ value, label: `${marks[value].words} (${formatCount(counts[value])})` })),
                ]}
                onChange={event => address.set({ state: event.target.value === 'all' ? null : event.target.value, page: null })}
              />
            </>
          }
          empty={
            <EmptyState title={q === '' && state === 'all' ? 'The pool is empty' : 'No range matches'} picture={false}>
              Ranges come from a statistics file of the registry, and from numbers that holders return.
            </EmptyState>
          }
        />
      </Sheet>
      {open?.act === 'reserve' && <ReserveDialog kind={kind} resource={open.range?.resource ?? ''} onClose={close} />}
      {open?.act === 'release' && <ReleaseDialog range={open.range!} onClose={close} />}
      {open?.act === 'quarantine' && <QuarantineDialog range={open.range!} onClose={close} />}
    </Page>
  );
}
