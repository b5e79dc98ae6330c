import { coverRange, prefixOfRange, printResource, specialUsesIn } from '@portal/number-resources';
import { sql } from 'kysely';
import { type Invariant, type InvariantScope, isOf, MAX_VIOLATIONS, type Violation } from '../../platform/invariant.ts';
import { type LedgerColumns, resourceOf } from './ledger-columns.ts';
import { labNumbersOf } from './ledger-gate.ts';

type Met = { resource: string; what: string; other: string; otherWhat: string };

/** Ranges of one kind and registry, ordered by their start, must not overlap. */
const meetings = sql<Met>`with space as (
    select 'delegation of ' || account_name as what, account_name, resource, registry, kind, first, last, first_as, last_as from delegation where status <> 'closed'
    union all select 'pool', null, resource, registry, kind, first, last, first_as, last_as from pool),
  ordered as (select *, max(last) over w as reach, max(last_as) over w as reach_as, lag(resource) over w as other, lag(what) over w as other_what
    from space window w as (partition by registry, kind order by first, first_as, last, last_as rows between unbounded preceding and 1 preceding))
  select resource, what, other, other_what from ordered where reach >= first or reach_as >= first_as order by resource limit ${MAX_VIOLATIONS}`;

type Misplaced = { resource: string; accountName: string; of: string; holder: string; isClosed: boolean };

/** IPv6 is delegated in prefixes of this length or shorter, because longer ones aren't routed. */
const LONGEST_IPV6 = 48;

/** Delegations of numbers that no registry delegates, or of blocks that are too small. Historical ones may have any size. */
async function wrongDelegations({ read, accounts, profile }: InvariantScope): Promise<Violation[]> {
  const rows = await read.rows<LedgerColumns & { accountName: string; purpose: string | null; isHistorical: boolean }>(sql`
    select kind, host(first) as first, host(last) as last, first_as, last_as, resource, size::text, account_name, purpose, source = 'historical' as is_historical
    from delegation where registry = '' and status <> 'closed' and ${isOf(sql`account_name`, accounts)} order by kind, first, first_as`);
  const lab = labNumbersOf(profile);
  return rows
    .flatMap(({ accountName, purpose, isHistorical, ...row }): Violation[] => {
      const resource = resourceOf(row);
      const object = `${printResource(resource)} of ${accountName}`;
      const [special] = specialUsesIn(resource, lab);
      if (special)
        return [
          {
            object,
            problem: `is set aside: ${special.name} (${special.source})`,
            remedy: 'Take it out of the ledger: no registry can delegate it',
          },
        ];
      if (resource.family === 'asn' || isHistorical) return [];
      const whole = prefixOfRange(resource);
      const longest = Math.max(...(whole ? [whole] : coverRange(resource)).map(({ length }) => length));
      const limit = resource.family === 'ipv6' ? LONGEST_IPV6 : purpose === null ? profile.requestPolicy.ipv4Smallest : 32;
      return longest <= limit
        ? []
        : [
            {
              object,
              problem: `has a /${longest}, which is smaller than a /${limit}`,
              remedy: 'Find the case that cut it, and put it right with its holder',
            },
          ];
    })
    .slice(0, MAX_VIOLATIONS);
}

/** Invariants of the ledger. */
export const resourcesInvariants: readonly Invariant[] = [
  {
    name: 'resources.onceOnly',
    sentence: 'No address and no AS number is delegated twice, and what is delegated is in no pool',
    // A few milliseconds for a whole region, so it always checks everything.
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
  {
    name: 'resources.delegable',
    sentence: 'Only numbers that IANA gave to be delegated are, and in no smaller blocks than networks carry',
    check: wrongDelegations,
  },
];
