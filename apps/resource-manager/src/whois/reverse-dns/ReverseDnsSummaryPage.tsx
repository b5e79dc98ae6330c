import { Term } from '@portal/app-kit/words/Term';
import {
  Page,
  type PageReads,
  read,
  reading,
  useAccount,
  useAddress,
  useDownload,
  useKit,
  useRead,
  useSteadyAnswer,
  useTablePlace,
} from '@portal/app-kit';
import type { AnswerOf } from '@portal/contract';
import { recordAddress } from '@portal/contract/records/record-address';
import { answering } from '@portal/contract/reverse-dns/answering';
import { dnssecStates, type ReverseZone, reverseDns, type ZoneBlock } from '@portal/contract/reverse-dns/reverse-dns';
import { zoneStates } from '@portal/contract/reverse-dns/zone-states';
import {
  Button,
  DateText,
  EmptyState,
  formatCount,
  Link,
  LinkButton,
  Meter,
  ResourceName,
  Row,
  SearchInput,
  Segmented,
  Select,
  Sheet,
  Stack,
  Stat,
  StateMark,
} from '@portal/ui';
import { type Column, DataTable } from '@portal/ui/table/DataTable';
import { ExportButtons } from '@portal/ui/table/ExportButtons';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { AccountNote } from '../../shell/AccountNote.tsx';
import { FirstRead } from '../../shell/FirstRead.tsx';
import { TableSkeleton } from '../../shell/TableSkeleton.tsx';
import { OutsideSpace } from './OutsideSpace.tsx';
import { WaitingDelegations, waitingOf } from './WaitingDelegations.tsx';
import { ZoneGrid } from './ZoneGrid.tsx';
import styles from './ReverseDnsSummary.module.css';
import { dnssecWords, hrefOfAdding, hrefOfCheck, hrefOfZone, stateWords } from './zone-words.ts';

const pageSize = 50;
const isOf = <T extends string>(all: readonly T[], text: string): T | undefined => all.find(each => each === text);

const summaryOf = (account: string) => read(reverseDns.getSummary, { account });
export const reads: PageReads = ({ account }) => [summaryOf(account), waitingOf(account)];

/** /resources/ReverseDNSSummary: every zone that the account’s space needs, drawn and as a table. */
export default function ReverseDnsSummaryPage() {
  const { accountName: account, asStaff } = useAccount();
  return (
    <Page
      title="Reverse DNS summary"
      sub={
        <>
          The <Term name="reverseZone">reverse zones</Term> your address space needs, and how their name servers answer.
        </>
      }
      actions={
        <Row gap={8} wrap>
          {!asStaff && (
            <>
              <LinkButton variant="primary" icon="plus" href={hrefOfAdding('ipv4')}>
                Add IPv4 zones
              </LinkButton>
              <LinkButton href={hrefOfAdding('ipv6')}>Add IPv6 zones</LinkButton>
            </>
          )}
          <LinkButton href="/technical/rdnscheck">Check a zone</LinkButton>
        </Row>
      }
    >
      <AccountNote />
      <FirstRead reads={[summaryOf(account), waitingOf(account)]} fallback={<TableSkeleton />}>
        <Summary />
      </FirstRead>
    </Page>
  );
}

function Summary() {
  const account = useAccount().accountName;
  const address = useAddress();
  const { counts, blocks, servers, lastCheckedAt, outside } = useRead(summaryOf(account));
  const view = address.oneOf('view', ['grid', 'table']);
  const state = address.get('state') ?? '';
  const dnssec = address.get('dnssec') ?? '';
  if (blocks.length === 0)
    return outside.length > 0 ? (
      <OutsideSpace outside={outside} isAll />
    ) : (
      <Sheet aria-label="Reverse zones">
        <EmptyState title="No address space yet">Reverse zones of prefixes delegated to {account} appear here, one cell each.</EmptyState>
      </Sheet>
    );
  return (
    <Stack gap={16}>
      <Figures counts={counts} lastCheckedAt={lastCheckedAt} blocks={blocks} />
      <WaitingDelegations />
      <Sheet
        title="Zones"
        meta={<span>One cell is one zone that the registry can delegate</span>}
        flush
        actions={
          <Segmented
            label="View"
            options={[
              { value: 'grid', label: 'Grid' },
              { value: 'table', label: 'Table' },
            ]}
            value={view}
            onChange={next => address.set({ view: next === 'grid' ? null : next, page: null })}
          />
        }
      >
        {view === 'grid' ? (
          <FoundInGrid blocks={blocks} state={state} dnssec={dnssec} />
        ) : (
          <FirstRead reads={[read(reverseDns.listZones, inputOf(account, '', state, dnssec, 1))]} fallback={<TableSkeleton />}>
            <ZoneTable />
          </FirstRead>
        )}
      </Sheet>
      {outside.length > 0 && <OutsideSpace outside={outside} isAll={false} />}
      {servers.length > 0 && (
        <Sheet title="Name servers" flush>
          <DataTable
            caption="Name servers of the account’s reverse zones"
            columns={serverColumns}
            rows={servers}
            rowId={row => row.server}
            state={{ sort: null, hidden: [], order: [], filters: {}, page: 1 }}
          />
        </Sheet>
      )}
    </Stack>
  );
}

/** Most zones that a search marks in the grid; a table lists more. */
const MARKED = 500;

/** The grid under its search, which finds what the table's finds, and the same filters and export. */
function FoundInGrid({ blocks, state, dnssec }: { blocks: readonly ZoneBlock[]; state: string; dnssec: string }) {
  const account = useAccount().accountName;
  const address = useAddress();
  const { call } = useKit();
  const q = address.get('q') ?? '';
  const { query } = inputOf(account, q, state, dnssec, 1);
  const { data: found } = useQuery({
    ...reading(call, reverseDns.listZones, { account, query: { ...query, limit: MARKED } }),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  });
  const { offset: _offset, limit: _limit, ...filters } = query;
  const save = useDownload(reverseDns.exportZones);
  const zones = q !== '' && found ? new Set(found.rows.map(({ zone }) => zone)) : null;
  const clear = () => address.set({ q: null, state: null, dnssec: null });
  const isShown = (cell: ZoneBlock['cells'][number]) =>
    (state === '' || cell.state === state) && (dnssec === '' || cell.dnssec === dnssec) && (zones === null || zones.has(cell.zone));
  const isFiltered = q !== '' || state !== '' || dnssec !== '';
  const shown = isFiltered ? blocks.reduce((sum, { cells }) => sum + cells.filter(isShown).length, 0) : null;
  return (
    <>
      <Row gap={8} wrap style={{ padding: '8px 16px 0' }}>
        <SearchInput
          label="Find a zone"
          placeholder="Zone, prefix, address or server"
          value={q}
          onChange={next => address.set({ q: next || null })}
        />
        <ZoneFilters state={state} dnssec={dnssec} onChange={change => address.set(change)} />
        {shown !== null && (
          <output className="small quiet nw">
            {formatCount(shown)} {shown === 1 ? 'zone' : 'zones'}
          </output>
        )}
        <ExportButtons what="reverse zones" save={format => save({ account, query: { ...filters, format } })} />
      </Row>
      {shown === 0 ? (
        <EmptyState title="No matches" action={<Button onClick={clear}>Clear the filters</Button>}>
          No zone matches these filters.
        </EmptyState>
      ) : (
        <ZoneGrid blocks={blocks} isShown={isShown} />
      )}
      {zones !== null && found !== undefined && found.total > MARKED && (
        <p className="small quiet" style={{ padding: '0 16px 12px' }}>
          The grid shows the first {formatCount(MARKED)} of {formatCount(found.total)} matches. The table lists them all.
        </p>
      )}
    </>
  );
}

/** How many zones are delegated, answer and are signed, and those that don't answer as they should. */
function Figures({ counts, lastCheckedAt, blocks }: Pick<AnswerOf<typeof reverseDns.getSummary>, 'counts' | 'lastCheckedAt' | 'blocks'>) {
  const lame = blocks.flatMap(({ cells }) => cells.filter(({ state }) => state === 'lame')).slice(0, MAX_LAME);
  return (
    <Sheet aria-label="Zones by state">
      <div className={styles.figures}>
        <div>
          <Stat value={formatCount(counts.covered)} unit={`of ${formatCount(counts.needed)} needed zones delegated`} />
          <p className="small">
            {counts.covered < counts.needed ? <Gaps counts={counts} /> : 'Every zone is delegated.'}{' '}
            {counts.delegated !== counts.covered && (
              <Link href="/resources/ReverseDNS" className="nw">
                {formatCount(counts.delegated)} {counts.delegated === 1 ? 'delegation' : 'delegations'} in all
              </Link>
            )}
          </p>
        </div>
        <div>
          <Stat
            value={`${formatCount(answering(counts))} of ${formatCount(counts.delegated)}`}
            unit={counts.delegated === 1 ? 'delegation answers' : 'delegations answer'}
          />
          <p className="small">
            {[
              counts.warning > 0 && `${formatCount(counts.warning)} of them with warnings`,
              counts.unchecked > 0 && `${formatCount(counts.unchecked)} not checked yet`,
            ]
              .filter(Boolean)
              .join(', ')}
            {(counts.warning > 0 || counts.unchecked > 0) && '. '}
            <span className="quiet">
              {lastCheckedAt ? (
                <>
                  Last check <DateText value={lastCheckedAt} />
                </>
              ) : (
                'Each zone is checked at least every three days.'
              )}
            </span>
          </p>
        </div>
        <div>
          <Stat value={formatCount(counts.signed)} unit={counts.signed === 1 ? 'zone has a DS record' : 'zones have a DS record'} />
          <p className="small">
            {counts.endsSoon > 0 ? (
              <StateMark state="warning">
                {counts.endsSoon} {counts.endsSoon === 1 ? 'needs' : 'need'} attention
              </StateMark>
            ) : (
              <span className="quiet">{counts.signed === 0 ? 'Paste your DNSKEY when you edit a zone.' : 'No signature ends soon.'}</span>
            )}
          </p>
        </div>
      </div>
      {lame.length > 0 && (
        <ul className={styles.lame}>
          {lame.map(({ zone }) => (
            <li key={zone}>
              <StateMark state="invalid">Lame</StateMark>{' '}
              <span className="mono" id={`lame-${zone}`}>
                {zone}
              </span>{' '}
              <Link href={hrefOfZone(zone)} aria-describedby={`lame-${zone}`}>
                What is wrong, and how to fix it
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Sheet>
  );
}
/** Lame zones that are named above the grid, which shows them all. */
const MAX_LAME = 3;

/** Needed zones without a delegation, and those only partly delegated. */
function Gaps({ counts: { needed, covered, missing } }: { counts: { needed: number; covered: number; missing: number } }) {
  const inPart = needed - covered - missing;
  const hrefOf = (state: string) => `/resources/ReverseDNSSummary?view=table&state=${state}`;
  return (
    <>
      {missing > 0 && <Link href={hrefOf('missing')}>{formatCount(missing)} not delegated</Link>}
      {missing > 0 && inPart > 0 && ', '}
      {inPart > 0 && <Link href={hrefOf('partly')}>{formatCount(inPart)} in part</Link>}.
    </>
  );
}

const serverColumns: Column<{ server: string; zones: number; answers: number; checked: number }>[] = [
  { id: 'server', label: 'Name server', cell: row => <span className="mono">{row.server}</span>, text: row => row.server, fixed: true },
  { id: 'zones', label: 'Zones', cell: row => formatCount(row.zones), align: 'end' },
  {
    id: 'answers',
    label: 'Zones that answer',
    cell: row =>
      row.checked === 0 ? (
        <span className="quiet">not checked yet</span>
      ) : (
        <span className={styles.answers}>
          <Meter kind="valid" label={`Zones that ${row.server} answers`} share={row.answers / row.checked} />
          <span className="quiet nw">
            of {formatCount(row.checked)} checked
            {row.answers < row.checked && `, ${formatCount(row.checked - row.answers)} not answered`}
          </span>
        </span>
      ),
    card: 'state',
  },
  {
    id: 'replace',
    label: 'Replace',
    cell: row => (
      <Link href={`/resources/whois-attribute-update?attribute=nserver&value=${encodeURIComponent(row.server)}`}>Replace everywhere</Link>
    ),
  },
];

function ZoneFilters({
  state,
  dnssec,
  onChange,
}: {
  state: string;
  dnssec: string;
  onChange: (change: Record<string, string | null>) => void;
}) {
  return (
    <>
      <Select
        size="s"
        aria-label="State"
        value={state}
        onChange={event => onChange({ state: event.target.value || null, page: null })}
        options={[{ value: '', label: 'Any state' }, ...zoneStates.map(each => ({ value: each, label: stateWords[each].word }))]}
      />
      <Select
        size="s"
        aria-label="DNSSEC"
        value={dnssec}
        onChange={event => onChange({ dnssec: event.target.value || null, page: null })}
        options={[{ value: '', label: 'DNSSEC: any' }, ...dnssecStates.map(each => ({ value: each, label: dnssecWords[each].word }))]}
      />
    </>
  );
}

function inputOf(account: string, q: string, state: string, dnssec: string, page: number) {
  const [wantedState, wantedDnssec] = [isOf(zoneStates, state), isOf(dnssecStates, dnssec)];
  return {
    account,
    query: {
      q,
      ...(wantedState && { state: wantedState }),
      ...(wantedDnssec && { dnssec: wantedDnssec }),
      offset: (page - 1) * pageSize,
      limit: pageSize,
    },
  };
}

const columns: Column<ReverseZone>[] = [
  {
    id: 'zone',
    label: 'Zone',
    cell: row =>
      row.version === null ? (
        <span className="mono">{row.zone}</span>
      ) : (
        <Link href={hrefOfZone(row.zone)} className="mono">
          {row.zone}
        </Link>
      ),
    text: row => row.zone,
    fixed: true,
  },
  {
    id: 'prefix',
    label: 'Prefix',
    cell: row => <ResourceName kind={row.kind} text={row.prefix} href={recordAddress(row.prefix)} />,
    text: row => row.prefix,
  },
  {
    id: 'state',
    label: 'State',
    cell: row => <StateMark state={stateWords[row.state].mark}>{stateWords[row.state].word}</StateMark>,
    card: 'state',
  },
  {
    id: 'dnssec',
    label: 'DNSSEC',
    cell: row => (
      <StateMark plain state={dnssecWords[row.dnssec].mark}>
        {dnssecWords[row.dnssec].word}
      </StateMark>
    ),
  },
  {
    id: 'servers',
    label: 'Name servers',
    cell: row => <span className="mono">{row.servers.join(', ')}</span>,
    text: row => row.servers.join(' '),
    wrap: true,
  },
  {
    id: 'checkedAt',
    label: 'Last check',
    cell: row => (row.checkedAt ? <DateText value={row.checkedAt} /> : <span className="quiet">–</span>),
    look: 'quiet',
  },
];

function ZoneTable() {
  const account = useAccount().accountName;
  const address = useAddress();
  const table = useTablePlace({ id: 'reverse-dns.zones', sorts: ['zone'], filters: ['q', 'state', 'dnssec'] });
  const { state, dnssec } = { state: table.filter('state'), dnssec: table.filter('dnssec') };
  const input = inputOf(account, table.filter('q'), state, dnssec, table.state.page);
  const { answer, stale } = useSteadyAnswer(reverseDns.listZones, input);
  const save = useDownload(reverseDns.exportZones);
  const { offset: _offset, limit: _limit, ...filters } = input.query;
  return (
    <DataTable
      caption={`Reverse zones of ${account}`}
      columns={columns}
      rows={answer.rows}
      rowId={row => row.zone}
      rowLabel={row => row.zone}
      rowLook={row => (row.state === 'missing' ? 'gap' : undefined)}
      state={{ ...table.state, sort: null }}
      onStateChange={table.onStateChange}
      total={answer.total}
      pageSize={pageSize}
      loading={stale}
      onOpen={row => address.go(row.version === null ? hrefOfAdding(row.kind, row.zone) : hrefOfZone(row.zone))}
      countLabel={
        <span className="nw">
          {formatCount(answer.total)} {answer.total === 1 ? 'zone' : 'zones'}
        </span>
      }
      tools={
        <>
          <SearchInput
            label="Find a zone"
            placeholder="Zone, prefix, address or server"
            value={table.filter('q')}
            onChange={q => table.setFilters({ q })}
          />
          <ZoneFilters state={state} dnssec={dnssec} onChange={table.setFilters} />
        </>
      }
      exportMenu={<ExportButtons what="reverse zones" save={format => save({ account, query: { ...filters, format } })} />}
      rowActions={row =>
        row.version === null ? (
          <LinkButton size="s" href={hrefOfAdding(row.kind, row.zone)}>
            Delegate
          </LinkButton>
        ) : (
          <LinkButton size="s" href={hrefOfCheck(row.zone)}>
            Check now
          </LinkButton>
        )
      }
      empty={
        <EmptyState
          title="No matches"
          action={<Button onClick={() => table.setFilters({ q: null, state: null, dnssec: null })}>Clear the filters</Button>}
        >
          No zone matches these filters.
        </EmptyState>
      }
    />
  );
}
