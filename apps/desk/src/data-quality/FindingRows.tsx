import { useAddress } from '@portal/app-kit';
import { useTablePage } from '@portal/app-kit/place/table-page';
import type { FindingList, FindingRow } from '@portal/contract/data-quality/data-quality';
import { type FindingKey, findings, findingSorts, livingStates } from '@portal/contract/data-quality/findings';
import { Button, DateText, EmptyState, Link, Select, Sheet } from '@portal/ui';
import { type Column, DataTable } from '@portal/ui/table/DataTable';
import { FilterSearch } from '@portal/ui/table/FilterSearch';
import type { TableState } from '@portal/ui/table/table-state';
import type { ReactNode } from 'react';
import styles from './DataQuality.module.css';
import { countInWords } from './quality-words.ts';

const pageSize = 20;
/** Findings whose rows machines read. */
const monoSubjects: readonly FindingKey[] = [
  'abuse-mailboxes',
  'invalid-routes',
  'lame-servers',
  'whois-ledger',
  'invoices-without-address',
];
/** Findings whose beginning isn’t known. */
const undated: readonly FindingKey[] = ['password-alone', 'no-corporate-contact'];

/** Filters and order of a list, as the address says. */
export function useRowFilters() {
  const address = useAddress();
  const economy = address.get('economy') ?? '';
  const state = address.oneOf('state', ['all', ...livingStates]);
  const sort = address.oneOf('sort', findingSorts);
  const q = address.get('q') ?? '';
  const { query: page, table } = useTablePage(pageSize);
  const tableState: TableState = {
    ...table.state,
    sort: { column: sort.replace('-', ''), descending: sort.startsWith('-') },
  };
  return {
    q,
    economy,
    state,
    query: { q, sort, ...(/^[A-Z]{2}$/.test(economy) && { economy }), ...(state !== 'all' && { state }) },
    page,
    table: {
      ...table,
      state: tableState,
      onStateChange: (next: TableState) => {
        const chosen = next.sort === null ? 'since' : `${next.sort.descending ? '-' : ''}${next.sort.column}`;
        address.set(
          { sort: chosen === 'since' ? null : chosen, page: next.page > 1 && chosen === sort ? String(next.page) : null },
          { step: true },
        );
      },
    },
    set: (change: Record<string, string | null>) => address.set({ ...change, page: null }),
  };
}
type RowFilters = ReturnType<typeof useRowFilters>;

function columnsOf(finding: FindingKey): Column<FindingRow>[] {
  return [
    {
      id: 'account',
      label: 'Account',
      card: 'key',
      fixed: true,
      wrap: true,
      sortable: true,
      cell: ({ accountName, orgName }) =>
        accountName === null ? (
          <span className="quiet">Not known</span>
        ) : (
          <>
            <Link href={`/desk/accounts/${encodeURIComponent(accountName)}`} className={styles.target}>
              {accountName}
            </Link>
            {finding !== 'no-corporate-contact' && <div className={styles.detail}>{orgName}</div>}
          </>
        ),
    },
    {
      id: 'subject',
      label: findings[finding].one[0]!.toUpperCase() + findings[finding].one.slice(1),
      fixed: true,
      wrap: true,
      sortable: true,
      card: 'wide',
      cell: ({ subject, detail }) => (
        <div>
          <Subject finding={finding} subject={subject} />
          <div className={styles.detail}>{detail}</div>
        </div>
      ),
      text: ({ subject }) => subject,
    },
    { id: 'economy', label: 'Economy', fixed: true, cell: ({ economy }) => economy ?? <span className="quiet">–</span> },
    {
      id: 'state',
      label: 'State',
      fixed: true,
      card: 'state',
      cell: ({ accountStatus }) => accountStatus ?? <span className="quiet">–</span>,
    },
    ...(undated.includes(finding) ? [] : [sinceColumn]),
  ];
}

const sinceColumn: Column<FindingRow> = {
  id: 'since',
  label: 'Since',
  fixed: true,
  sortable: true,
  cell: ({ since }) => (since === null ? <span className="quiet">Not known</span> : <DateText value={since} shape="date" />),
};

function Subject({ finding, subject }: { finding: FindingKey; subject: string }) {
  const words = monoSubjects.includes(finding) ? <span className="mono">{subject}</span> : <bdi>{subject}</bdi>;
  if (finding !== 'lame-servers') return words;
  return (
    <Link href={`/technical/rdnscheck?zone=${encodeURIComponent(subject.split(' ')[0]!)}`} className={styles.target}>
      {words}
    </Link>
  );
}

type FindingRowsProps = {
  finding: FindingKey;
  list: FindingList;
  stale: boolean;
  filters: RowFilters;
  onExport: () => void;
  more?: ReactNode;
};
/** The rows of a finding with their filters, a page at a time. */
export function FindingRows({ finding, list, stale, filters, onExport, more }: FindingRowsProps) {
  const { q, economy, state, table, set } = filters;
  const { title, many } = findings[finding];
  const isFiltered = q !== '' || economy !== '' || state !== 'all';
  return (
    <Sheet
      flush
      title={many[0]!.toUpperCase() + many.slice(1)}
      meta={
        list.asOf === null ? (
          'Found now'
        ) : (
          <>
            As of <DateText value={list.asOf} />
          </>
        )
      }
    >
      <DataTable
        caption={title}
        columns={columnsOf(finding)}
        rows={list.rows}
        rowId={({ accountName, subject, detail }) => `${accountName} ${subject} ${detail}`}
        {...table}
        total={list.total}
        loading={stale}
        countLabel={countInWords(finding, list.total)}
        exportMenu={
          <Button size="s" icon="download" onClick={onExport}>
            CSV
          </Button>
        }
        tools={
          <>
            <FilterSearch label="Account, organisation or words" value={q} onChange={next => set({ q: next.trim() || null })} />
            <Select
              size="s"
              aria-label="Economy"
              value={economy}
              options={[{ value: '', label: 'All economies' }, ...list.economies.map(value => ({ value, label: value }))]}
              onChange={({ target }) => set({ economy: target.value || null })}
            />
            <Select
              size="s"
              aria-label="Account state"
              value={state}
              options={[{ value: 'all', label: 'All states' }, ...livingStates.map(value => ({ value: value as string, label: value }))]}
              onChange={({ target }) => set({ state: target.value === 'all' ? null : target.value })}
            />
            {more}
          </>
        }
        empty={
          <EmptyState title={isFiltered ? `No ${many} match` : `No ${many}`} picture={false}>
            {isFiltered
              ? 'Change the filters to see others.'
              : findings[finding].kept && list.asOf === null
                ? 'They are looked for every hour.'
                : 'What is found appears here.'}
          </EmptyState>
        }
      />
    </Sheet>
  );
}
