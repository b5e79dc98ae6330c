import { type CallAnswer, Page, read, useAccount, useAddress, useRefusal, useSteadyAnswer, useTablePlace } from '@portal/app-kit';
import { type Listing, listingKinds, listingLengths, listings } from '@portal/contract/requests/listings';
import { requests } from '@portal/contract/requests/requests';
import { Badge, Breadcrumb, Button, DateText, EmptyState, formatCount, Row, Sheet, SkeletonLines, StateMark, Tabs } from '@portal/ui';
import { type Column, DataTable } from '@portal/ui/table/DataTable';
import { FilterSearch } from '@portal/ui/table/FilterSearch';
import { FilterSelect } from '@portal/ui/table/FilterSelect';
import { SidePanelLayout } from '../shell/SidePanelLayout.tsx';
import { AccountNote } from '../shell/AccountNote.tsx';
import { FirstRead } from '../shell/FirstRead.tsx';
import { TableSkeleton } from '../shell/TableSkeleton.tsx';
import { ListingForm } from './ListingForm.tsx';
import { ListingPanel } from './ListingPanel.tsx';
import { listingStateWords } from './listing-words.ts';

const home = '/resources/availableListings';
const limit = 50;

/** /resources/availableListings: IPv4 that holders offer for transfer, and what others look for; `?add=yes` lists, `?listing=ID` shows one. */
export default function ListingsPage() {
  const { accountName: account } = useAccount();
  const address = useAddress();
  const refusal = useRefusal(listings.addListing);
  if (address.get('add') !== null)
    return (
      <Page
        title="New listing"
        sub="All account holders see it. Messages reach you by e-mail without showing your address."
        breadcrumb={<Breadcrumb items={[{ label: 'Listings', href: home }, { label: 'New listing' }]} />}
      >
        <AccountNote />
        <FirstRead reads={[read(requests.listMovable, { account })]} fallback={<SkeletonLines lines={6} label="Loading the form" />}>
          <ListingForm home={home} />
        </FirstRead>
      </Page>
    );
  const of = address.oneOf('of', ['all', 'own']);
  return (
    <Page
      title="IPv4 transfer listings"
      sub="Blocks that other account holders offer, and what they look for. The registry doesn’t take part in what you agree on."
      actions={
        <Row gap={8} wrap>
          <Button variant="primary" icon="plus" refusal={refusal} onClick={() => address.go(`${home}?add=yes`)}>
            Offer a block
          </Button>
          <Button refusal={refusal} onClick={() => address.go(`${home}?add=yes&kind=wanted`)}>
            Post a request
          </Button>
        </Row>
      }
    >
      <AccountNote />
      <Tabs
        label="Listings"
        items={[
          { href: home, label: 'All listings', current: of === 'all' },
          { href: `${home}?of=own`, label: 'Your listings', current: of === 'own' },
        ]}
      />
      <Board key={of} />
    </Page>
  );
}

function useBoard() {
  const { accountName: account } = useAccount();
  const address = useAddress();
  const of = address.oneOf('of', ['all', 'own']);
  const table = useTablePlace({ id: `listings.${of}`, sorts: ['listedAt'], filters: ['q'] });
  const kind = address.oneOf('show', ['', 'offer', 'wanted']);
  const length = address.get('length');
  const economy = address.get('economy');
  const before = address.get('before');
  return {
    account,
    of,
    table,
    kind,
    length,
    economy,
    before,
    setFilter: (change: Record<string, string | null>) => address.set({ ...change, before: null }),
    input: {
      account,
      query: {
        of,
        q: table.filter('q'),
        limit,
        ...(kind && { kind }),
        ...(length && /^\d+$/.test(length) && { length: Number(length) }),
        ...(economy && /^[A-Z]{2}$/.test(economy) && { economy }),
        ...(before && /^\d+$/.test(before) && { before: Number(before) }),
      },
    },
  };
}

const columns: Column<Listing>[] = [
  {
    id: 'size',
    label: 'Size',
    cell: ({ length }) => <span className="mono strong">/{length}</span>,
    text: ({ length }) => `/${length}`,
    fixed: true,
    card: 'key',
  },
  {
    id: 'kind',
    label: 'Kind',
    cell: ({ kind }) => (kind === 'offer' ? <Badge>Offered</Badge> : <Badge kind="line">Wanted</Badge>),
    text: ({ kind }) => listingKinds[kind],
  },
  { id: 'resource', label: 'Block', cell: ({ resource, kind }) => resource ?? (kind === 'offer' ? 'Not shown' : 'Any'), look: 'mono' },
  { id: 'holder', label: 'Holder', cell: ({ holder }) => holder ?? 'Not shown', wrap: true, card: 'wide' },
  { id: 'economy', label: 'Economy', cell: ({ economy }) => economy ?? '' },
  { id: 'interRegistry', label: 'Other registries', cell: ({ interRegistry }) => (interRegistry ? 'Yes' : 'No') },
  {
    id: 'state',
    label: 'State',
    cell: ({ state }) => <StateMark state={listingStateWords[state].state}>{listingStateWords[state].words}</StateMark>,
    text: ({ state }) => listingStateWords[state].words,
    card: 'state',
  },
  { id: 'listedAt', label: 'Listed', cell: ({ listedAt }) => <DateText value={listedAt} shape="date" />, look: 'quiet' },
  { id: 'expiresOn', label: 'Until', cell: ({ expiresOn }) => <DateText value={expiresOn} shape="date" />, look: 'quiet' },
];

function Board() {
  const { input } = useBoard();
  return (
    <FirstRead
      reads={[read(listings.listListings, input)]}
      fallback={
        <Sheet flush aria-label="Listings">
          <TableSkeleton />
        </Sheet>
      }
    >
      <Found />
    </FirstRead>
  );
}

const sizes = Array.from({ length: listingLengths.smallest - listingLengths.largest + 1 }, (_, index) =>
  String(listingLengths.smallest - index),
);

function Found() {
  const { account, of, table, kind, length, economy, before, setFilter, input } = useBoard();
  const address = useAddress();
  const { answer, stale } = useSteadyAnswer(listings.listListings, input);
  const open = answer.rows.find(({ listingId }) => listingId === address.get('listing')) ?? null;
  const filtered = input.query.q !== '' || Boolean(kind || length || economy);
  const list = (
    <Sheet flush aria-label="Listings">
      <DataTable
        caption={of === 'own' ? `Listings of ${account}` : 'Transfer listings'}
        columns={columns}
        rows={answer.rows}
        rowId={({ listingId }) => listingId}
        rowLabel={({ length: size, kind: each }) => `${listingKinds[each]} /${size}`}
        state={{ ...table.state, sort: null, page: 1 }}
        onStateChange={table.onStateChange}
        pageSize={limit}
        loading={stale}
        current={open?.listingId ?? null}
        onOpen={({ listingId }) => address.set({ listing: listingId }, { step: true })}
        countLabel={
          <span className="nw">
            {formatCount(answer.total)} {answer.total === 1 ? 'listing' : 'listings'}
          </span>
        }
        tools={<ListingFilters economies={answer.economies} />}
        empty={
          <EmptyState
            title={filtered ? 'No matches' : of === 'own' ? 'No listings of yours' : 'No listings yet'}
            action={
              filtered ? (
                <Button onClick={() => setFilter({ q: null, show: null, length: null, economy: null })}>Clear the filters</Button>
              ) : (
                <Button onClick={() => address.go(`${home}?add=yes`)}>Offer a block</Button>
              )
            }
          >
            {filtered
              ? 'No listing matches the filters.'
              : of === 'own'
                ? 'Blocks you offer and what you look for appear here.'
                : 'Blocks that account holders offer for transfer appear here.'}
          </EmptyState>
        }
      />
      <ListingPages before={before} next={answer.next} />
    </Sheet>
  );
  if (!open) return list;
  return (
    <SidePanelLayout>
      {list}
      <ListingPanel key={open.listingId} listing={open} onClose={() => address.set({ listing: null })} />
    </SidePanelLayout>
  );
}

function ListingFilters({ economies }: { economies: readonly string[] }) {
  const { kind, length, economy, setFilter, input } = useBoard();
  return (
    <>
      <FilterSearch label="Find a listing" placeholder="Words, block or holder" value={input.query.q} onChange={q => setFilter({ q })} />
      <FilterSelect
        label="Kind"
        value={kind}
        onChange={value => setFilter({ show: value || null })}
        options={[
          { value: '', label: 'Offered and wanted' },
          { value: 'offer', label: 'Offered' },
          { value: 'wanted', label: 'Wanted' },
        ]}
      />
      <FilterSelect
        label="Size"
        value={length ?? ''}
        onChange={value => setFilter({ length: value || null })}
        options={[{ value: '', label: 'All sizes' }, ...sizes.map(value => ({ value, label: `/${value}` }))]}
      />
      <FilterSelect
        label="Economy"
        value={economy ?? ''}
        onChange={value => setFilter({ economy: value || null })}
        options={[
          { value: '', label: 'All economies' },
          ...[...new Set([...economies, ...(economy ? [economy] : [])])].toSorted().map(value => ({ value, label: value })),
        ]}
      />
    </>
  );
}

type PagesProps = { before: string | null; next: CallAnswer<typeof listings.listListings>['next'] };

function ListingPages({ before, next }: PagesProps) {
  const address = useAddress();
  if (before === null && next === null) return null;
  return (
    <nav aria-label="Pages">
      <Row gap={8}>
        <Button
          size="s"
          refusal={before === null ? { reason: 'This is the first page' } : null}
          onClick={() => address.set({ before: null, listing: null }, { step: true })}
        >
          First page
        </Button>
        <Button
          size="s"
          refusal={next === null ? { reason: 'This is the last page' } : null}
          onClick={() => address.set({ before: String(next), listing: null }, { step: true })}
        >
          Next page
        </Button>
      </Row>
    </nav>
  );
}
