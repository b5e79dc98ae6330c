import { sql } from 'kysely';
import { type Invariant, isOf, MAX_VIOLATIONS } from '../../platform/invariant.ts';

/** Invariants of the registers of national registries. */
export const nirInvariants: readonly Invariant[] = [
  {
    name: 'nir.insideDelegations',
    sentence: 'What a national registry gave its members lies in what it holds',
    check: async ({ read, accounts }) =>
      (
        await read.rows<{ resource: string; accountName: string; name: string }>(sql`select n.resource, n.account_name, s.name
          from nir_delegation n join subaccount s using (subaccount_id) where ${isOf(sql`n.account_name`, accounts)} and not exists (
            select from delegation d where d.account_name = n.account_name and d.status <> 'closed' and d.kind = n.kind
              and case n.kind when 'asn' then d.first_as <= n.first_as and d.last_as >= n.last_as else d.first <= n.first and d.last >= n.last end)
          order by n.account_name, n.start limit ${MAX_VIOLATIONS}`)
      ).map(({ resource, accountName, name }) => ({
        object: `${resource} of the sub-account ${name} of ${accountName}`,
        problem: `lies in no delegation of ${accountName}`,
        remedy: 'End it in the register of the national registry',
      })),
  },
  {
    name: 'nir.onceOnly',
    sentence: 'No number is in two sub-accounts, and a closed sub-account holds nothing',
    check: async ({ read, accounts }) => [
      ...(
        await read.rows<{ resource: string; other: string }>(sql`with ordered as (
            select account_name, resource, first, first_as, max(last) over w as reach, max(last_as) over w as reach_as, lag(resource) over w as other from nir_delegation
            window w as (partition by kind order by start, size rows between unbounded preceding and 1 preceding))
          select resource, other from ordered where (reach >= first or reach_as >= first_as) and ${isOf(sql`account_name`, accounts)} limit ${MAX_VIOLATIONS}`)
      ).map(({ resource, other }) => ({
        object: `${resource} of a sub-account`,
        problem: `meets ${other} of another one`,
        remedy: 'End one of the two in the register of the national registry',
      })),
      ...(
        await read.rows<{
          resource: string;
          name: string;
        }>(sql`select n.resource, s.name from nir_delegation n join subaccount s using (subaccount_id)
          where s.status = 'closed' and ${isOf(sql`n.account_name`, accounts)} limit ${MAX_VIOLATIONS}`)
      ).map(({ resource, name }) => ({
        object: `${resource} of the sub-account ${name}`,
        problem: 'is held by a sub-account that is closed',
        remedy: 'Move it to another sub-account, or end it',
      })),
    ],
  },
];
