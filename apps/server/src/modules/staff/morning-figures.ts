import type { AnswerOf } from '@portal/contract';
import { DAY_MS, instantBefore, utcDay } from '@portal/contract/days';
import { type deskHome, homeMonths, homeWeeks } from '@portal/contract/staff/desk-home';
import { resourceKinds } from '@portal/contract/resources/resource-kinds';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';

type Home = AnswerOf<typeof deskHome.getDeskHome>;
type Pool = NonNullable<Home['pools']>[number];

/** Elections that are drawn. */
const ELECTIONS = 4;

/** The Mondays of the last weeks, the present one last (UTC). */
export function lastWeeks(now: Date): string[] {
  const monday = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() - ((now.getUTCDay() + 6) % 7));
  return Array.from({ length: homeWeeks }, (_, place) => utcDay(new Date(monday - (homeWeeks - 1 - place) * 7 * DAY_MS)));
}

/** The last months (`2026-11`), the present one last (UTC). */
export const lastMonths = (now: Date): string[] =>
  Array.from({ length: homeMonths }, (_, place) =>
    utcDay(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - (homeMonths - 1 - place), 1))).slice(0, 7),
  );

/** The registry's own pools by what can be done with them, and how much was delegated from them in a year. */
export async function poolsOf(read: Read, now: Date): Promise<Pool[]> {
  const [sums, delegated] = await Promise.all([
    read.rows<Omit<Pool, 'yearly' | 'delegations'>>(sql`
      select kind, coalesce(sum(size) filter (where state = 'available'), 0)::text as available, coalesce(sum(size) filter (where held_for is not null), 0)::text as held,
        coalesce(sum(size) filter (where held_for is null and rests_until is not null), 0)::text as quarantine,
        coalesce(sum(size) filter (where state = 'reserved' and held_for is null and rests_until is null), 0)::text as reserved
      from pool where registry = '' group by kind`),
    read.rows<
      Pick<Pool, 'kind' | 'yearly' | 'delegations'>
    >(sql`select kind, sum(size)::text as yearly, count(*)::int as delegations from delegation
      where registry = '' and source = 'delegated' and delegated_on > ${utcDay(instantBefore(now, 365 * DAY_MS))}::date group by kind`),
  ]);
  const none = { available: '0', held: '0', quarantine: '0', reserved: '0', yearly: '0', delegations: 0 };
  return resourceKinds.map(kind => ({
    ...none,
    ...sums.find(row => row.kind === kind),
    ...delegated.find(row => row.kind === kind),
    kind,
  }));
}

/** Invoices that fall due and payments that came in by month, in the currency of the registry. A payment that was reversed is none. */
export async function moneyOf(read: Read, currency: string, months: readonly string[]): Promise<NonNullable<Home['money']>> {
  const first = `${months[0]!}-01`;
  const last = `${months.at(-1)!}-01`;
  const until = sql`(${last}::date + interval '1 month')`;
  const [due, paid] = await Promise.all([
    read.rows<{
      month: string;
      sum: string;
    }>(sql`select to_char(due_on, 'YYYY-MM') as month, sum(total - credited - written_off)::text as sum from invoice
      where due_on >= ${first}::date and due_on < ${until} and currency = ${currency} and state <> 'cancelled' group by 1`),
    read.rows<{ month: string; sum: string }>(sql`select to_char(p.received_on, 'YYYY-MM') as month, sum(p.amount)::text as sum
      from payment p join invoice i using (invoice_id) left join payment_reversal r on r.payment_id = p.payment_id
      where p.received_on >= ${first}::date and p.received_on < ${until} and i.currency = ${currency} and r.payment_id is null group by 1`),
  ]);
  const of = (rows: readonly { month: string; sum: string }[], month: string): string =>
    rows.find(row => row.month === month)?.sum ?? '0.00';
  return { currency, months: months.map(month => ({ month, due: of(due, month), paid: of(paid, month) })) };
}

/** Accounts by state, the most first. */
export const membersOf = (read: Read): Promise<NonNullable<Home['members']>> =>
  read.rows(
    sql`select account_status as state, count(*)::int as accounts from account group by account_status order by accounts desc, state`,
  );

/** How many of the accounts with a vote cast it, in the latest elections that opened. */
export const turnoutOf = (read: Read, now: Date): Promise<NonNullable<Home['elections']>> =>
  read.rows(sql`
    select e.election_id::text as election_id, e.title, (select count(*)::int from election_roll r where r.election_id = e.election_id) as voters,
      (select count(*)::int from election_vote v where v.election_id = e.election_id and v.generation = e.generation) as voted
    from election e join election_window w on w.election_id = e.election_id and w.kind = 'member-vote'
    where e.state = 'published' and e.roll_frozen_at is not null and w.opens_at <= ${now.toISOString()}::timestamptz
    order by w.opens_at desc, e.election_id desc limit ${ELECTIONS}`);
