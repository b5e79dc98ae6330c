import { holdDays, nextHoldDays } from '@portal/contract/restraints/restraints';
import { sql } from 'kysely';
import { type Invariant, isOf, MAX_VIOLATIONS } from '../../platform/invariant.ts';

type Moved = { resource: string; accountName: string; restraint: string; activityId: number };

/** Invariants of restraints. */
export const restraintsInvariants: readonly Invariant[] = [
  {
    name: 'restraints.moves',
    sentence: 'No numbers came to a restrained account or left it, but by a recovery of the registry',
    check: async ({ read, accounts, now }) =>
      (
        await read.rows<Moved>(sql`
          select distinct coalesce(coalesce(c.after, c.before) ->> 'resource', '') as resource, r.account_name, r.kind as restraint, c.activity_id
          from account_restraint r join row_change c on c.activity_id > r.set_activity and c.table_name = 'delegation'
            and (c.before ->> 'account_name' = r.account_name or c.after ->> 'account_name' = r.account_name)
            and coalesce(c.before ->> 'registry', c.after ->> 'registry') = ''
          join activity a on a.activity_id = c.activity_id
          where ${isOf(sql`r.account_name`, accounts)} and a.happened_at >= r.begins_at
            and a.happened_at < least(coalesce(r.ended_at, ${now.toISOString()}::timestamptz), coalesce(r.ends_at, 'infinity')) and not a.details ? 'overRestraints'
            and (c.operation <> 'UPDATE' or (c.before ->> 'status' = 'closed') <> (c.after ->> 'status' = 'closed')
              or (c.before - array['status', 'ends_on', 'hold_until', 'economy', 'type', 'delegated_on', 'date_text', 'extensions', 'portable', 'source', 'purpose'])
                <> (c.after - array['status', 'ends_on', 'hold_until', 'economy', 'type', 'delegated_on', 'date_text', 'extensions', 'portable', 'source', 'purpose']))
          order by 2, 4, 1 limit ${MAX_VIOLATIONS}`)
      ).map(({ resource, accountName, restraint, activityId }) => ({
        object: `${resource} of ${accountName}`,
        problem: `changed hands while the account was under a ${restraint === 'hold' ? 'hold' : 'restriction'}, by activity ${activityId}`,
        remedy: 'Find out by the activity log how, put the numbers back with both holders, and close the way',
      })),
  },
  {
    name: 'restraints.published',
    sentence: 'No one changed ROAs or provider authorisations for an account under a restriction',
    check: async ({ read, accounts, now }) =>
      (
        await read.rows<{ object: string; accountName: string; activityId: number }>(sql`
          with restriction as (
            select r.account_name, r.set_activity, r.begins_at, least(coalesce(r.ended_at, ${now.toISOString()}::timestamptz), coalesce(r.ends_at, 'infinity')) as until
            from account_restraint r where r.kind = 'restrict' and ${isOf(sql`r.account_name`, accounts)})
          select distinct case c.table_name when 'roa' then 'The ROA of ' || coalesce(c.after ->> 'prefix', c.before ->> 'prefix', '')
              else 'The provider authorisation of AS' || coalesce(c.after ->> 'customer', c.before ->> 'customer', '') end as object, r.account_name, c.activity_id
            from restriction r join row_change c on c.activity_id > r.set_activity and c.table_name in ('roa', 'aspa')
              and (c.before ->> 'account_name' = r.account_name or c.after ->> 'account_name' = r.account_name)
            join activity a on a.activity_id = c.activity_id
            where a.happened_at >= r.begins_at and a.happened_at < r.until and not a.details ? 'overRestraints'
          order by 2, 3, 1 limit ${MAX_VIOLATIONS}`)
      ).map(({ object, accountName, activityId }) => ({
        object: `${object} of ${accountName}`,
        problem: `changed while the account was under a restriction, by activity ${activityId}`,
        remedy: 'Find out by the activity log how, restore what was there, and close the way',
      })),
  },
  {
    name: 'restraints.people',
    sentence: 'A restriction, and a hold soon after another, was confirmed by a second person, and a hold lasts 14 days at most',
    check: async ({ read, accounts }) =>
      (
        await read.rows<{ accountName: string; setAt: string; problem: string }>(sql`
          select r.account_name, r.set_at::text as set_at, case when r.kind = 'hold' and r.ends_at > r.begins_at + make_interval(days => ${holdDays}::integer, hours => 2)
            then 'lasts longer than 14 days' else 'was confirmed by no second person' end as problem
          from account_restraint r where ${isOf(sql`r.account_name`, accounts)} and case r.kind when 'restrict' then r.confirmed_by is not distinct from r.set_by or r.confirmed_by is null
            else r.ends_at > r.begins_at + make_interval(days => ${holdDays}::integer, hours => 2)
              or (r.confirmed_by is null or r.confirmed_by = r.set_by) and exists (select from account_restraint e where e.account_name = r.account_name and e.kind = 'hold'
                and e.account_restraint_id < r.account_restraint_id and least(coalesce(e.ended_at, e.ends_at), e.ends_at) > r.set_at - make_interval(days => ${nextHoldDays}::integer)) end
          order by r.account_restraint_id limit ${MAX_VIOLATIONS}`)
      ).map(({ accountName, setAt, problem }) => ({
        object: `The restraint of ${accountName} that was set at ${setAt}`,
        problem,
        remedy: 'Look at it in the activity log: it was set past the program. Lift it, and set it again if it is needed',
      })),
  },
];
