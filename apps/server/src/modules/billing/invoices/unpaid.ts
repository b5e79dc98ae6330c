import { type RawBuilder, sql } from 'kysely';

/**
 * SQL in brackets: what each account that owes something owes, with the columns account_name, owed (sums by currency), amount (over all currencies, for an order) and overdue.
 * An extension moves a suspension, not the due day.
 * @param today the registry's day
 */
export const unpaidByAccount = (today: string): RawBuilder<unknown> => sql`(
  select account_name, jsonb_agg(jsonb_build_object('currency', currency, 'amount', amount::text) order by currency) as owed, sum(amount) as amount, bool_or(overdue) as overdue
  from (select account_name, currency, sum(total - paid - credited - written_off) as amount, bool_or(due_on < ${today}::date) as overdue
    from invoice where state in ('issued', 'partly-paid') group by account_name, currency) i
  group by account_name)`;
