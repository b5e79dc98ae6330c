import { sql } from 'kysely';
import { type Invariant, isOf, MAX_VIOLATIONS } from '../../platform/invariant.ts';

type Met = { resource: string; what: string; other: string; otherWhat: string };

/** Ranges of one kind and registry in the order of their beginnings: each begins after all before it have ended. */
const meetings = sql<Met>`with space as (
    select 'delegation of ' || account_name as what, account_name, resource, registry, kind, first, last, first_as, last_as from delegation where status <> 'closed'
    union all select 'pool', null, resource, registry, kind, first, last, first_as, last_as from pool),
  ordered as (select *, max(last) over w as reach, max(last_as) over w as reach_as, lag(resource) over w as other, lag(what) over w as other_what
    from space window w as (partition by registry, kind order by first, first_as, last, last_as rows between unbounded preceding and 1 preceding))
  select resource, what, other, other_what from ordered where reach >= first or reach_as >= first_as order by resource limit ${MAX_VIOLATIONS}`;

type Misplaced = { resource: string; accountName: string; of: string; holder: string; isClosed: boolean };

/** Invariants of the ledger. */
export const resourcesInvariants: readonly Invariant[] = [
  {
    name: 'resources.onceOnly',
    sentence: 'No address and no AS number is delegated twice, and what is delegated is in no pool',
    // A few milliseconds for a whole region: never a part of it.
    check: async ({ read }) =>
      (await read.rows(meetings)).map(({ resource, what, other, otherWhat }) => ({
        object: `${resource} (${what})`,
        problem: `has numbers that ${other} (${otherWhat}) has as well`,
        remedy: 'Find out by the activity log which of the two is right, and take the numbers out of the other',
      })),
  },
  {
    name: 'resources.registrationsInDelegations',
    sentence: 'A registration lies in an open delegation of the account that made it',
    check: async ({ read, accounts }) =>
      (
        await read.rows<Misplaced>(sql`select a.resource, a.account_name, d.resource as "of", d.account_name as holder, d.status = 'closed' as is_closed
          from assignment a join delegation d using (delegation_id)
          where ${isOf(sql`a.account_name`, accounts)} and (d.status = 'closed' or d.account_name <> a.account_name or a.first < d.first or a.last > d.last)
          order by a.first limit ${MAX_VIOLATIONS}`)
      ).map(({ resource, accountName, of, holder, isClosed }) => ({
        object: `The registration ${resource} of ${accountName}`,
        problem: `hangs below ${of}, ${isClosed ? 'which is closed' : holder === accountName ? 'which it does not lie in' : `which ${holder} holds`}`,
        remedy: 'Register it anew below the delegation that holds its addresses, or end it',
      })),
  },
];
