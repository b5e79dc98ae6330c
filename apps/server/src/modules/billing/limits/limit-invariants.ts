import { limitScopes, type LimitScope } from '@portal/contract/staff-limits';
import { utcDay } from '@portal/contract/days';
import { type RawBuilder, sql } from 'kysely';
import { type Invariant, isOf, MAX_VIOLATIONS } from '../../../platform/invariant.ts';

type Found = { name: string; scope: LimitScope; who: string; accountName: string | null; madeAt: string; sum: string; most: string };

/**
 * Acts of one person with which the sum of the days that count together is above the limit that was in force when it was recorded. Sums are taken over
 * all accounts; `accounts` says whose are reported.
 */
const beyond = (accounts: readonly string[] | null): RawBuilder<Found> => sql<Found>`
  with act as (select a.*, f.account as most_account, f.person as most_person, f.everyone as most_everyone, f.days from limited_act a
    cross join lateral (select * from limit_in_force f where f.name = a.name and f.since <= a.made_at order by f.limit_in_force_id desc limit 1) f),
  -- In units of the days that count together.
  placed as (select act.*, extract(epoch from made_at) / (days * 86400) as place from act),
  sums as (select placed.*,
      sum(amount) over (partition by name, days, account_name order by place range between 1 preceding and current row) as sum_account,
      sum(case when second_person is null then amount else 0 end)
        over (partition by name, days, made_by order by place range between 1 preceding and current row) as sum_person,
      sum(case when second_person is null then amount else 0 end)
        over (partition by name, days order by place range between 1 preceding and current row) as sum_everyone
    from placed)
  select s.name, over.scope, coalesce(l.full_name, s.made_by) as who, s.account_name, s.made_at::text, over.sum::numeric(14, 2)::text as sum, over.most::text as most
  from sums s left join login l on l.login_id = s.made_by
  cross join lateral (values ('account', case when s.account_name is not null then s.sum_account end, s.most_account),
    ('person', s.sum_person, s.most_person), ('everyone', s.sum_everyone, s.most_everyone)) over (scope, sum, most)
  where s.second_person is null and over.sum > over.most and ${isOf(sql`s.account_name`, accounts)}
  order by s.limited_act_id limit ${MAX_VIOLATIONS}`;

/** Documents whose act under its limit is another one's, or of another amount. */
const miscounted = (accounts: readonly string[] | null): RawBuilder<{ what: string; why: string }> => sql<{ what: string; why: string }>`
  select what, case when a.limited_act_id is null then 'is counted under no limit'
      when a.name <> d.name then 'is counted as ' || a.name when a.account_name is distinct from d.account_name then 'is counted for ' || coalesce(a.account_name, 'no account')
      when a.amount <> d.amount then 'is ' || d.amount || ', and counted as ' || a.amount
      else 'was recorded by ' || coalesce(d.made_by, '') || ', and is counted for ' || a.made_by end as why
  from (select 'The payment ' || reference as what, 'received' as name, account_name, amount, recorded_by as made_by, limited_act_id from payment where method = 'bank transfer'
    union all select 'The credit note ' || n.number, 'given', n.account_name, n.total, n.issued_by, n.limited_act_id from credit_note n join invoice i using (invoice_id)
      where n.issued_by is not null or i.kind not in ('transfer', 'reactivation')
    union all select 'The refund ' || reference, 'given', account_name, amount, recorded_by, limited_act_id from refund
    union all select 'The reversal ' || number, 'given', account_name, amount, reversed_by, limited_act_id from payment_reversal
    union all select 'The write-off of ' || number, 'given', account_name, written_off, null, write_off_act_id from invoice where state = 'written-off') d
  left join limited_act a using (limited_act_id)
  where (a.limited_act_id is null or a.name <> d.name or a.account_name is distinct from d.account_name or a.amount <> d.amount or a.made_by <> coalesce(d.made_by, a.made_by))
    and ${isOf(sql`d.account_name`, accounts)} order by what limit ${MAX_VIOLATIONS}`;

/** Invariants of what one person may do alone. */
export const limitInvariants: readonly Invariant[] = [
  {
    name: 'billing.limits',
    sentence: 'What staff did to money beyond the limits of one person, a second one approved',
    check: async ({ read, accounts }) =>
      (await read.rows(beyond(accounts))).map(({ name, scope, who, accountName, madeAt, sum, most }) => ({
        object: `What ${who} did${accountName === null ? '' : ` for ${accountName}`} on ${utcDay(madeAt)}`,
        problem: `makes ${sum} under the limit "${name}" ${limitScopes[scope]}, which is ${most}, and no second person approved it`,
        remedy: 'Look at it in the activity log, and have a second person look at the account',
      })),
  },
  {
    name: 'billing.counted',
    sentence: 'Each payment that staff recorded, credit note, refund, reversal and write-off is counted under its limit, with its amount',
    check: async ({ read, accounts }) =>
      (await read.rows(miscounted(accounts))).map(({ what, why }) => ({
        object: what,
        problem: why,
        remedy: 'Compare it with the activity log: it was changed past the program',
      })),
  },
];
