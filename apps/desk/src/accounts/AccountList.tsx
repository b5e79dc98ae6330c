import { useAddress, useDownload, useSteadyAnswer } from '@portal/app-kit';
import { useTablePage } from '@portal/app-kit/place/table-page';
import { accountTypeWords } from '@portal/app-kit/words/account-words';
import { economyWords } from '@portal/app-kit/words/organisation-words';
import { accountStatuses, accountTypes } from '@portal/contract/accounts/accounts';
import { billing } from '@portal/contract/billing/billing';
import { findings, plainFindings } from '@portal/contract/data-quality/findings';
import { accountBalances, accountList, accountSorts, type ListedAccount } from '@portal/contract/data-quality/account-list';
import { Button, DateText, EmptyState, formatCount, formatMoney, Link, Select, Sheet, type State, StateMark } from '@portal/ui';
import { type Column, DataTable } from '@portal/ui/table/DataTable';
import type { TableState } from '@portal/ui/table/table-state';
import { useMay } from '../shell/use-may.ts';
import styles from './AccountList.module.css';

const pageSize = 50;
const all = 'all';

const balanceWords: Record<(typeof accountBalances)[number], string> = {
  unpaid: 'Something unpaid',
  overdue: 'Overdue',
  settled: 'Nothing unpaid',
};

const stateOf = (status: ListedAccount['accountStatus']): State =>
  (
    ({
      open: 'valid',
      new: 'pending',
      prospect: 'pending',
      closed: 'closed',
      suspended: 'invalid',
      lost: 'invalid',
      'n/a': 'warning',
    }) as const
  )[status];

const sums = (owed: readonly { currency: string; amount: string }[]): string =>
  owed.map(({ currency, amount }) => formatMoney(currency, amount)).join(', ');

const day = (value: string | null) => (value === null ? <span className="quiet">–</span> : <DateText value={value} shape="date" />);

const columns: Column<ListedAccount>[] = [
  {
    id: 'account',
    label: 'Account',
    card: 'key',
    fixed: true,
    sortable: true,
    cell: ({ accountName }) => (
      <Link href={`/desk/accounts/${encodeURIComponent(accountName)}`} className={styles.target}>
        {accountName}
      </Link>
    ),
    text: ({ accountName }) => accountName,
  },
  {
    id: 'organisation',
    label: 'Organisation',
    fixed: true,
    wrap: true,
    sortable: true,
    card: 'wide',
    cell: ({ orgName }) => <bdi>{orgName}</bdi>,
    text: ({ orgName }) => orgName,
  },
  {
    id: 'economy',
    label: 'Economy',
    fixed: true,
    wrap: true,
    cell: ({ economy }) => (economy === null ? <span className="quiet">–</span> : economyWords(economy)),
  },
  { id: 'kind', label: 'Kind', fixed: true, wrap: true, cell: ({ accountType }) => accountTypeWords(accountType) },
  {
    id: 'state',
    label: 'State',
    fixed: true,
    card: 'state',
    wrap: true,
    cell: ({ accountName, accountStatus, marks }) => (
      <span className={styles.state}>
        <StateMark state={stateOf(accountStatus)}>{accountStatus}</StateMark>
        {marks > 0 && (
          <Link href={`/desk/accounts/${encodeURIComponent(accountName)}#risks`} className={styles.target}>
            <StateMark plain state="warning">
              {marks === 1 ? '1 risk mark' : `${marks} risk marks`}
            </StateMark>
          </Link>
        )}
      </span>
    ),
  },
  { id: 'since', label: 'Member since', fixed: true, sortable: true, cell: ({ memberSince }) => day(memberSince) },
  { id: 'term', label: 'Term ends', fixed: true, sortable: true, cell: ({ expiryDate }) => day(expiryDate) },
];
const owedColumn: Column<ListedAccount> = {
  id: 'owed',
  label: 'Unpaid',
  align: 'end',
  fixed: true,
  wrap: true,
  sortable: true,
  cell: ({ owed, overdue }) =>
    owed === null || owed.length === 0 ? (
      <span className="quiet">–</span>
    ) : (
      <>
        {sums(owed)}
        {overdue && <div className={styles.overdue}>Overdue</div>}
      </>
    ),
  text: ({ owed }) => sums(owed ?? []),
};

/** Filters and order of the list, as the address says. */
function useFilters(q: string) {
  const address = useAddress();
  const books = useMay()(billing.getStaffBilling);
  const economy = address.get('economy') ?? '';
  const kind = address.oneOf('kind', [all, ...accountTypes]);
  const state = address.oneOf('state', [all, ...accountStatuses]);
  const balance = address.oneOf('balance', [all, ...accountBalances]);
  const health = address.oneOf('health', [all, 'any', 'none', ...plainFindings]);
  const marked = address.oneOf('marked', [all, 'yes']);
  const asked = address.oneOf('sort', accountSorts);
  const sort = !books && asked.endsWith('owed') ? 'account' : asked;
  const { query: page, table } = useTablePage(pageSize);
  return {
    books,
    economy,
    kind,
    state,
    balance,
    health,
    marked,
    isFiltered: q !== '' || economy !== '' || [kind, state, health, marked, books ? balance : all].some(chosen => chosen !== all),
    query: {
      q,
      sort,
      ...(/^[A-Z]{2}$/.test(economy) && { economy }),
      ...(kind !== all && { kind }),
      ...(state !== all && { state }),
      ...(balance !== all && books && { balance }),
      ...(health !== all && { health }),
      ...(marked !== all && { marked }),
    },
    page,
    table: {
      ...table,
      state: { ...table.state, sort: { column: sort.replace('-', ''), descending: sort.startsWith('-') } },
      onStateChange: (next: TableState) => {
        const chosen = next.sort === null ? 'account' : `${next.sort.descending ? '-' : ''}${next.sort.column}`;
        address.set(
          { sort: chosen === 'account' ? null : chosen, page: next.page > 1 && chosen === sort ? String(next.page) : null },
          { step: true },
        );
      },
    },
    choose: (name: string, value: string) =>
      address.set({ [name]: value === all || value === '' ? null : value, page: null }, { step: true }),
    clear: () =>
      address.set(
        { q: null, economy: null, kind: null, state: null, balance: null, health: null, marked: null, page: null },
        { step: true },
      ),
  };
}

/** All accounts, a page at a time, as filters and words leave them. */
export function AccountList({ words }: { words: string }) {
  const address = useAddress();
  const filters = useFilters(words);
  const { answer, stale } = useSteadyAnswer(accountList.listStaffAccounts, { query: { ...filters.query, ...filters.page } });
  const save = useDownload(accountList.exportStaffAccounts);
  const { total, owed } = answer;
  const choice = (
    name: 'kind' | 'state' | 'balance' | 'health' | 'marked' | 'economy',
    label: string,
    options: { value: string; label: string }[],
  ) => (
    <Select
      size="s"
      aria-label={label}
      value={filters[name]}
      options={options}
      onChange={({ target }) => filters.choose(name, target.value)}
    />
  );
  return (
    <Sheet
      flush
      title={words === '' ? 'All accounts' : `Found for ${words}`}
      meta={owed !== null && total > 0 && <span>{owed.length === 0 ? 'Nothing unpaid' : `${sums(owed)} unpaid`}</span>}
    >
      <DataTable
        caption="Accounts"
        columns={filters.books ? [...columns, owedColumn] : columns}
        rows={answer.rows}
        rowId={({ accountName }) => accountName}
        {...filters.table}
        total={total}
        loading={stale}
        countLabel={
          total === answer.all ? `${formatCount(total)} accounts` : `${formatCount(total)} of ${formatCount(answer.all)} accounts`
        }
        onOpen={({ accountName }) => address.go(`/desk/accounts/${encodeURIComponent(accountName)}`)}
        exportMenu={
          <Button size="s" icon="download" onClick={() => void save({ query: filters.query })}>
            CSV
          </Button>
        }
        tools={
          <>
            {choice('economy', 'Economy', [
              { value: '', label: 'All economies' },
              ...answer.economies
                .map(({ economy, accounts }) => ({ value: economy, label: `${economyWords(economy)}: ${formatCount(accounts)}` }))
                .toSorted((one, other) => one.label.localeCompare(other.label)),
            ])}
            {choice('kind', 'Kind', [
              { value: all, label: 'All kinds' },
              ...accountTypes.map(value => ({ value, label: value === 'n/a' ? 'Not recorded' : accountTypeWords(value) })),
            ])}
            {choice('state', 'Account state', [
              { value: all, label: 'All states' },
              ...accountStatuses.map(value => ({ value, label: value === 'n/a' ? 'not recorded' : value })),
            ])}
            {filters.books &&
              choice('balance', 'Balance', [
                { value: all, label: 'Any balance' },
                ...accountBalances.map(value => ({ value, label: balanceWords[value] })),
              ])}
            {choice('health', 'Data quality', [
              { value: all, label: 'Any data quality' },
              { value: 'any', label: 'Something to fix' },
              { value: 'none', label: 'Nothing to fix' },
              ...plainFindings.map(value => ({ value: value as string, label: findings[value].title })),
            ])}
            {choice('marked', 'Risk marks', [
              { value: all, label: 'With or without risk marks' },
              { value: 'yes', label: 'With risk marks' },
            ])}
            {filters.isFiltered && (
              <Button size="s" onClick={filters.clear}>
                Clear filters
              </Button>
            )}
          </>
        }
        empty={
          <EmptyState title={words === '' ? 'No account matches these filters' : `No account matches ${words}`} picture={false}>
            {words === ''
              ? 'Clear a filter to see more accounts.'
              : 'Try part of an organisation’s name, an economy such as Fiji, a prefix, or an AS number such as AS64500.'}
          </EmptyState>
        }
      />
    </Sheet>
  );
}
