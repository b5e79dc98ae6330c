import { type AnswerOf, bookPermissions, type Download, holdsOneOf, type QueryOf } from '@portal/contract';
import { plainFindings } from '@portal/contract/data-quality/findings';
import { dayIn } from '@portal/contract/days';
import type { accountList, AccountSort } from '@portal/contract/data-quality/account-list';
import { type RawBuilder, sql } from 'kysely';
import { economyName } from '../../platform/economy-names.ts';
import type { Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { containsPattern } from '../../platform/search-text.ts';
import { tableFile } from '../../platform/table-file.ts';
import { unpaidByAccount } from '../billing/index.ts';
import { markedAccounts } from '../staff/index.ts';
import { type FindingConfig, findingRows } from './finding-rows.ts';

type Answer = AnswerOf<typeof accountList.listStaffAccounts>;
type Filters = QueryOf<typeof accountList.exportStaffAccounts>;

/** Returns the economies that a text names: those of exactly this name, else those with a word of their name that begins with it. */
export function economiesNamed(text: string, economies: readonly string[]): string[] {
  const sought = text.toLowerCase();
  if (sought.length < 3) return economies.filter(code => code.toLowerCase() === sought);
  const nameOf = (code: string): string => economyName(code).toLowerCase();
  const exact = economies.filter(code => nameOf(code) === sought);
  if (exact.length > 0) return exact;
  return economies.filter(code => ` ${nameOf(code)}`.includes(` ${sought}`));
}

/** SQL: accounts in which something was found. The planner leaves out the findings that aren't asked for. */
const foundIn = (health: NonNullable<Filters['health']>, config: FindingConfig): RawBuilder<unknown> =>
  health === 'any' || health === 'none'
    ? sql`(select f.account_name from ${findingRows(null, config)} f where f.finding = any (${[...plainFindings]}::text[]) and f.account_name is not null)`
    : sql`(select f.account_name from ${findingRows(health, config)} f where f.account_name is not null)`;

/** SQL: account `a`, which owes `u` and has the marks `m`, is one that the filters leave. */
function isLeft(
  { q, economy, kind, state, balance, health, marked }: Filters,
  named: readonly string[],
  config: FindingConfig,
): RawBuilder<unknown> {
  const conditions: RawBuilder<unknown>[] = [sql`true`];
  if (q !== '') {
    const part = containsPattern(q.toLowerCase());
    conditions.push(sql`(lower(a.account_name) like ${part} or lower(a.org_name) like ${part} or a.economy = any (${[...named]}::text[]))`);
  }
  if (economy !== undefined) conditions.push(sql`a.economy = ${economy}`);
  if (kind !== undefined) conditions.push(sql`a.account_type = ${kind}`);
  if (state !== undefined) conditions.push(sql`a.account_status = ${state}`);
  if (balance === 'unpaid') conditions.push(sql`u.account_name is not null`);
  if (balance === 'overdue') conditions.push(sql`u.overdue`);
  if (balance === 'settled') conditions.push(sql`u.account_name is null`);
  if (marked !== undefined) conditions.push(sql`m.marks > 0`);
  if (health === 'none') conditions.push(sql`a.account_name not in ${foundIn(health, config)}`);
  else if (health !== undefined) conditions.push(sql`a.account_name in ${foundIn(health, config)}`);
  return sql.join(conditions, sql` and `);
}

const orders: Record<AccountSort, RawBuilder<unknown>> = {
  account: sql`a.account_name`,
  '-account': sql`a.account_name desc`,
  organisation: sql`lower(a.org_name), a.account_name`,
  '-organisation': sql`lower(a.org_name) desc, a.account_name`,
  since: sql`a.member_since nulls last, a.account_name`,
  '-since': sql`a.member_since desc nulls last, a.account_name`,
  term: sql`a.expiry_date nulls last, a.account_name`,
  '-term': sql`a.expiry_date desc nulls last, a.account_name`,
  owed: sql`u.amount nulls last, a.account_name`,
  '-owed': sql`u.amount desc nulls last, a.account_name`,
};

/** Returns whether a person sees what accounts owe. @throws Failure NO_PERMISSION where they filter or sort by what they don't see */
function seesBooks({ staffPermissions }: Pick<Caller, 'staffPermissions'>, { balance, sort }: Filters): boolean {
  const sees = holdsOneOf(staffPermissions, bookPermissions, true);
  if (!sees && (balance !== undefined || sort === 'owed' || sort === '-owed')) throw refuse('NO_PERMISSION');
  return sees;
}

/** Economies of all accounts, with their number. */
const economiesOf = (read: Read): Promise<Answer['economies']> =>
  read.rows(sql`select economy, count(*)::int as accounts from account where economy is not null group by economy order by economy`);

/** A page of all accounts. @throws Failure NO_PERMISSION */
export async function listStaffAccounts({
  read,
  caller,
  query: { offset, limit, ...filters },
  registry: { config, now, profile },
}: Act<typeof accountList.listStaffAccounts>): Promise<Answer> {
  const books = seesBooks(caller, filters);
  const economies = await economiesOf(read);
  const named =
    filters.q === ''
      ? []
      : economiesNamed(
          filters.q,
          economies.map(({ economy }) => economy),
        );
  const where = isLeft(filters, named, config);
  const marks = markedAccounts(caller.loginId, { now, profile });
  const from = sql`from account a left join ${unpaidByAccount(dayIn(profile.timeZone, now))} u using (account_name) left join ${marks} m using (account_name) where ${where}`;
  const [rows, [counted], sums] = await Promise.all([
    read.rows<
      Answer['rows'][number]
    >(sql`select a.account_name, a.org_name, a.economy, a.account_type, a.account_status, a.member_since::text as member_since,
        a.expiry_date::text as expiry_date, case when ${books}::boolean then coalesce(u.owed, '[]') end as owed,
        case when ${books}::boolean then coalesce(u.overdue, false) end as overdue,
        coalesce(m.marks, 0) as marks
      ${from} order by ${orders[filters.sort]} offset ${offset} limit ${limit}`),
    read.rows<{ total: number; all: number }>(sql`select count(*)::int as total, (select count(*)::int from account) as all ${from}`),
    books
      ? read.rows<{ currency: string; amount: string }>(sql`select s.currency, sum(s.amount)::text as amount
          from account a join ${unpaidByAccount(dayIn(profile.timeZone, now))} u using (account_name) left join ${marks} m using (account_name)
            cross join lateral jsonb_to_recordset(u.owed) as s (currency text, amount numeric) where ${where} group by s.currency order by s.currency`)
      : null,
  ]);
  return { rows, total: counted!.total, all: counted!.all, owed: sums, economies };
}

const columns = ['account', 'organisation', 'economy', 'kind', 'state', 'since', 'until', 'marks'] as const;
const bookColumns = [...columns, 'owed', 'overdue'] as const;
type CsvRow = Record<(typeof bookColumns)[number], string>;

/** The accounts that the filters leave, as a file; what they owe is a column for those who see the books. @throws Failure NO_PERMISSION */
export async function exportStaffAccounts({
  read,
  caller,
  query: filters,
  registry: { config, now, profile },
}: Act<typeof accountList.exportStaffAccounts>): Promise<Download> {
  const books = seesBooks(caller, filters);
  const economies = filters.q === '' ? [] : await economiesOf(read);
  const named = economiesNamed(
    filters.q,
    economies.map(({ economy }) => economy),
  );
  return tableFile(
    'accounts',
    'csv',
    books ? bookColumns : columns,
    read.stream<CsvRow>(sql`select a.account_name as account, a.org_name as organisation, coalesce(a.economy, '') as economy, a.account_type as kind, a.account_status as state,
        coalesce(a.member_since::text, '') as since, coalesce(a.expiry_date::text, '') as until,
        coalesce((select string_agg((s ->> 'currency') || ' ' || (s ->> 'amount'), ', ') from jsonb_array_elements(u.owed) s), '') as owed,
        case when u.overdue then 'yes' else 'no' end as overdue, coalesce(m.marks, 0)::text as marks
      from account a left join ${unpaidByAccount(dayIn(profile.timeZone, now))} u using (account_name)
        left join ${markedAccounts(caller.loginId, { now, profile })} m using (account_name)
      where ${isLeft(filters, named, config)} order by ${orders[filters.sort]}`),
  );
}
