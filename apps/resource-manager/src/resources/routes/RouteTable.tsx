import type { AnswerOf } from '@portal/contract';
import {
  type PageReads,
  read,
  reading,
  type TableRows,
  tableRows,
  useAccount,
  useAddress,
  useDownload,
  useKit,
  useRefusal,
  useSteadyAnswer,
  useTablePlace,
} from '@portal/app-kit';
import { type Route, type RouteChanges, routes, routeSorts } from '@portal/contract/routes/routes';
import { printAsNumber } from '@portal/number-resources';
import { Banner, Button, DateText, EmptyState, formatCount, Link, LinkButton, ResourceName, Sheet, Stack, StateMark } from '@portal/ui';
import { type Column, DataTable } from '@portal/ui/table/DataTable';
import { ExportButtons } from '@portal/ui/table/ExportButtons';
import { FilterSearch } from '@portal/ui/table/FilterSearch';
import { FilterSelect } from '@portal/ui/table/FilterSelect';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { optionalPart } from '@portal/app-kit/page/later';
import { FirstRead } from '../../shell/FirstRead.tsx';
import { TableSkeleton } from '../../shell/TableSkeleton.tsx';
import { amountOf } from '../../shell/amounts.ts';
import { ChangeReview, noChanges } from './ChangeReview.tsx';
import { Coverage } from './Coverage.tsx';
import { useRoutesFollowPublication } from './publishing.ts';
import {
  hrefOfNewRoute,
  hrefOfRoute,
  idOf,
  kindOf,
  nameOf,
  roaWordsOf,
  routesPath,
  type StateWords,
  validityWords,
  whoisWords,
} from './route-words.ts';

const SavedRoutes = optionalPart(() => import('./SavedRoutes.tsx'), 'SavedRoutes');

const pageSize = 50;
const shows = ['managed', 'unmanaged', 'attention', 'not-seen', 'invalid'] as const;

function Mark({ words: { state, word, means } }: { words: StateWords }) {
  return (
    <span title={means} className="nw">
      <StateMark state={state} plain>
        {word}
      </StateMark>
    </span>
  );
}

/** Link of a row: its route, or the form for a new one if only the announcement exists. */
const opens = (row: Route): string | null =>
  row.routeId
    ? hrefOfRoute(row.routeId)
    : row.roaState === 'off' && row.whoisState === 'off'
      ? hrefOfNewRoute({ prefix: row.prefix, asn: row.asn })
      : null;

const columns: Column<Route>[] = [
  {
    id: 'prefix',
    label: 'Prefix',
    cell: row => <ResourceName kind={kindOf(row.prefix)} text={row.prefix} strong {...(opens(row) && { href: opens(row)! })} />,
    text: row => row.prefix,
    sortable: true,
    fixed: true,
    card: 'key',
  },
  {
    id: 'asn',
    label: 'Origin',
    cell: row => <ResourceName kind="asn" text={printAsNumber(row.asn)} />,
    text: row => printAsNumber(row.asn),
    sortable: true,
  },
  { id: 'maxLength', label: 'Max length', cell: row => <span className="mono">/{row.maxLength}</span> },
  { id: 'roa', label: 'ROA', cell: row => <Mark words={roaWordsOf(row)} /> },
  { id: 'whois', label: 'Whois', cell: row => <Mark words={whoisWords[row.whoisState]} /> },
  {
    id: 'seen',
    label: 'Seen by',
    cell: row => (row.seenBy === null ? <span className="quiet">–</span> : formatCount(row.seenBy)),
    align: 'end',
  },
  {
    id: 'validity',
    label: 'Validity',
    cell: row =>
      row.validity === null ? (
        <span className="quiet">not seen</span>
      ) : (
        <StateMark state={validityWords[row.validity].state}>{validityWords[row.validity].word}</StateMark>
      ),
    card: 'state',
  },
  {
    id: 'subRoutes',
    label: 'Sub-routes',
    cell: row => (row.subRoutes.length === 0 ? '' : formatCount(row.subRoutes.length)),
    align: 'end',
  },
  { id: 'comment', label: 'Comment', cell: row => row.comment, wrap: true, card: 'wide' },
  { id: 'owner', label: 'Owner', cell: row => row.owner, wrap: true },
  {
    id: 'changedAt',
    label: 'Last changed',
    cell: row => row.changedAt && <DateText value={row.changedAt} shape="date" />,
    text: row => row.changedAt ?? '',
    sortable: true,
    look: 'quiet',
  },
];

const place = { sorts: routeSorts, filters: ['q', 'family', 'show'], hidden: ['subRoutes', 'owner', 'changedAt'] };

/** Returns the filters in the address, and the read of the routes that match. */
function callOf(account: string, table: TableRows<(typeof routeSorts)[number]>) {
  const family = table.filter('family');
  const show = shows.find(each => each === table.filter('show'));
  const filters = {
    q: table.filter('q'),
    ...(family === 'ipv4' || family === 'ipv6' ? { family: family as 'ipv4' | 'ipv6' } : {}),
    ...(show && { show }),
    sort: table.sort,
    direction: table.direction,
  };
  return { filters, input: { account, query: { ...filters, offset: (table.page - 1) * pageSize, limit: pageSize } } };
}

type RoutePlace = ReturnType<typeof useRouteTable>['table'];
type RouteList = AnswerOf<typeof routes.listRoutes>;

function useRouteTable() {
  const table = useTablePlace({ id: 'routes', ...place });
  return { table, ...callOf(useAccount().accountName, table) };
}

/** The reads with which the table begins. */
export const routeTableReads: PageReads = ({ account, address }) => [
  read(routes.listRoutes, callOf(account, tableRows(address, place)).input),
];

/** The table of routes. */
export function RouteTable() {
  const { input } = useRouteTable();
  return (
    <FirstRead reads={[read(routes.listRoutes, input)]} fallback={<TableSkeleton />}>
      <FoundRoutes />
    </FirstRead>
  );
}

/** One click from an invalid announcement: a route for it; the review says what it does. */
const repairOf = (row: Route): string => (row.routeId ? hrefOfRoute(row.routeId) : hrefOfNewRoute({ prefix: row.prefix, asn: row.asn }));

function FoundRoutes() {
  const address = useAddress();
  const { accountName: account } = useAccount();
  const { table, filters, input } = useRouteTable();
  const { answer, stale } = useSteadyAnswer(routes.listRoutes, input);
  useRoutesFollowPublication(input, answer.rows);
  const save = useDownload(routes.exportRoutes);
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [reviewed, setReviewed] = useState<RouteChanges | null>(null);
  const chosen = answer.rows.filter(row => ticked.has(idOf(row)));
  const { totals } = answer;
  const filtered = filters.q !== '' || table.filter('family') !== '' || table.filter('show') !== '';
  const end = () => setReviewed(null);
  const saved = address.get('saved');
  const receipt = saved !== null && <SavedRoutes key={saved} changeId={saved} onClose={() => address.set({ saved: null })} />;
  const savedRow = useSavedRow(saved, answer.rows);
  return (
    <Stack gap={16}>
      {savedRow === null && receipt}
      <AboveRoutes answer={answer} />
      {reviewed && (
        <ChangeReview
          key={JSON.stringify(reviewed)}
          changes={reviewed}
          onSaved={({ changeId }) => {
            end();
            address.set({ saved: changeId });
            setTicked(new Set());
          }}
          onCancel={end}
        />
      )}
      <Sheet flush aria-label="Routes">
        <DataTable
          caption={`Routes of ${account}`}
          columns={columns}
          rows={answer.rows}
          rowId={idOf}
          rowLabel={nameOf}
          state={table.state}
          onStateChange={table.onStateChange}
          total={answer.total}
          pageSize={pageSize}
          loading={stale}
          below={savedRow ? { row: savedRow, content: receipt } : undefined}
          onOpen={row => {
            const to = opens(row);
            if (to !== null) address.go(to);
          }}
          rowActions={row => <RowAct row={row} onReview={setReviewed} />}
          showsActions={({ validity }) => validity?.startsWith('invalid') ?? false}
          countLabel={<RouteCount totals={totals} />}
          exportMenu={<ExportButtons what="routes" save={format => save({ account, query: { ...filters, format } })} />}
          selection={{
            selected: ticked,
            onChange: setTicked,
            actions: <ChosenActions chosen={chosen} onReview={setReviewed} />,
          }}
          tools={<RouteFilters table={table} />}
          empty={<NoRoutes filtered={filtered} table={table} />}
        />
      </Sheet>
    </Stack>
  );
}

/**
 * Returns the row of the route that was just saved, so that its receipt stands below it. Null for several routes, one that was deleted and one that isn’t on the page: their receipt is above the table.
 * Undefined until the change is read.
 */
function useSavedRow(changeId: string | null, rows: readonly Route[]): string | null | undefined {
  const { accountName: account } = useAccount();
  const { call } = useKit();
  const { data, isPending } = useQuery({
    ...reading(call, routes.getChange, { account, changeId: changeId ?? '', query: {} }),
    enabled: changeId !== null,
  });
  if (changeId === null) return null;
  const only = data?.total === 1 ? data.items[0]?.after : null;
  const row = only && rows.find(({ prefix, asn }) => prefix === only.prefix && asn === only.asn);
  return isPending ? undefined : row ? idOf(row) : null;
}

function NoRoutes({ filtered, table }: { filtered: boolean; table: RoutePlace }) {
  return filtered ? (
    <EmptyState
      title="No matches"
      action={<Button onClick={() => table.setFilters({ q: null, family: null, show: null })}>Clear the filters</Button>}
    >
      No route matches these filters.
    </EmptyState>
  ) : (
    <EmptyState title="No routes yet" action={<LinkButton href={`${routesPath}?add=yes`}>Add the first route</LinkButton>}>
      Announcements you intend appear here, and ROAs and route objects that exist. Or{' '}
      <Link href={`${routesPath}?import=yes`}>import a list</Link>.
    </EmptyState>
  );
}

function RouteFilters({ table }: { table: RoutePlace }) {
  return (
    <>
      <FilterSearch
        label="Find routes"
        placeholder="Prefix, AS or comment"
        value={table.filter('q')}
        onChange={q => table.setFilters({ q })}
      />
      <FilterSelect
        label="Family"
        value={table.filter('family')}
        onChange={family => table.setFilters({ family })}
        options={[
          { value: '', label: 'IPv4 and IPv6' },
          { value: 'ipv4', label: 'IPv4' },
          { value: 'ipv6', label: 'IPv6' },
        ]}
      />
      <FilterSelect
        label="Show"
        value={table.filter('show')}
        onChange={show => table.setFilters({ show })}
        options={[
          { value: '', label: 'All' },
          { value: 'attention', label: 'Needs attention' },
          { value: 'invalid', label: 'Invalid' },
          { value: 'managed', label: 'Routes' },
          { value: 'unmanaged', label: 'Without a route' },
          { value: 'not-seen', label: 'Not seen in BGP' },
        ]}
      />
    </>
  );
}

/** Buttons for the rows that are ticked. */
function ChosenActions({ chosen, onReview }: { chosen: readonly Route[]; onReview: (changes: RouteChanges) => void }) {
  const refusal = useRefusal(routes.saveRoutes);
  const managed = chosen.filter(row => row.routeId !== null);
  const stray = chosen.filter(row => row.routeId === null && !(row.roaState === 'off' && row.whoisState === 'off'));
  const bulk = (change: Partial<{ roa: boolean; whois: boolean }>) =>
    onReview({ ...noChanges, change: managed.map(({ routeId }) => ({ routeId: routeId!, ...change })) });
  return (
    <>
      {managed.length > 0 && (
        <>
          <Button size="s" refusal={refusal} refusalIn="note" onClick={() => bulk({ roa: true })}>
            ROA on
          </Button>
          <Button size="s" refusal={refusal} refusalIn="note" onClick={() => bulk({ roa: false })}>
            ROA off
          </Button>
          <Button size="s" refusal={refusal} refusalIn="note" onClick={() => bulk({ whois: true })}>
            Whois on
          </Button>
          <Button size="s" refusal={refusal} refusalIn="note" onClick={() => bulk({ whois: false })}>
            Whois off
          </Button>
          <Button
            size="s"
            icon="trash"
            refusal={refusal}
            refusalIn="note"
            onClick={() =>
              onReview({
                ...noChanges,
                remove: managed.map(({ routeId }) => ({ routeId: routeId!, keepRoa: false, keepObjects: false })),
              })
            }
          >
            Delete
          </Button>
        </>
      )}
      {stray.length > 0 && (
        <Button
          size="s"
          refusal={refusal}
          refusalIn="note"
          onClick={() => onReview({ ...noChanges, adopt: stray.map(({ prefix, asn }) => ({ prefix, asn: printAsNumber(asn) })) })}
        >
          Adopt {formatCount(stray.length)}
        </Button>
      )}
    </>
  );
}

function RouteCount({ totals }: { totals: RouteList['totals'] }) {
  return (
    <span className="nw">
      {formatCount(totals.routes)} {totals.routes === 1 ? 'route' : 'routes'}
      {totals.unmanaged > 0 && `, ${formatCount(totals.unmanaged)} without a route`}
      {totals.ipv4Addresses !== '0' && `, ${formatCount(BigInt(totals.ipv4Addresses))} IPv4 addresses`}
      {totals.ipv6Networks !== '0' && `, ${amountOf('ipv6', BigInt(totals.ipv6Networks) << 64n)} of IPv6`}
    </span>
  );
}

/** The action of a row: repair it, create a route for it, or adopt it. */
function RowAct({ row, onReview }: { row: Route; onReview: (changes: RouteChanges) => void }) {
  const refusal = useRefusal(routes.saveRoutes);
  return row.validity?.startsWith('invalid') ? (
    <LinkButton size="s" href={repairOf(row)}>
      Repair
    </LinkButton>
  ) : row.routeId === null && row.roaState === 'off' && row.whoisState === 'off' ? (
    <LinkButton size="s" href={hrefOfNewRoute({ prefix: row.prefix, asn: row.asn })}>
      Add
    </LinkButton>
  ) : row.routeId === null ? (
    <Button
      size="s"
      refusal={refusal}
      refusalIn="note"
      onClick={() => onReview({ ...noChanges, adopt: [{ prefix: row.prefix, asn: printAsNumber(row.asn) }] })}
    >
      Adopt
    </Button>
  ) : null;
}

function AboveRoutes({ answer: { rpki, collectedAt, tally } }: { answer: RouteList }) {
  return (
    <>
      {rpki === 'off' && (
        <Banner
          title="RPKI isn’t enabled."
          actions={
            <LinkButton size="s" href="/resources/rpki/index">
              Enable RPKI
            </LinkButton>
          }
        >
          Without it routes have route objects only, and no ROAs.
        </Banner>
      )}
      {collectedAt !== null && (
        <Sheet aria-label="Announcements">
          <Stack gap={12}>
            <Coverage tally={tally} />
            <p className="small quiet">
              As seen by route collectors on <DateText value={collectedAt} />.
            </p>
          </Stack>
        </Sheet>
      )}
    </>
  );
}
