import { containsResource, overlapsResource, parseResource, resourceSetOf } from '@portal/number-resources';
import { type RequestKind, requestKinds, type RequestPath, requestPaths } from '@portal/contract/requests/request-form';
import { groundsOf } from '@portal/contract/requests/request-grounds';
import { sql } from 'kysely';
import { type Invariant, type InvariantScope, isOf, MAX_VIOLATIONS, type Violation } from '../../platform/invariant.ts';

/** Cases that take numbers from their holder, from the moment they are sent to their end. */
const handingOver = sql`kind in ('transfer', 'acquisition', 'return') and state in ('offered', 'submitted', 'in-review', 'needs-info', 'awaiting-fee', 'on-hold')
  and coalesce(form ->> 'incoming', 'false') <> 'true'`;

async function locksAndCases({ read, accounts }: InvariantScope): Promise<Violation[]> {
  const cases = await read.rows<{ reference: string; accountName: string; resources: string[] }>(sql`
    select 'REQ-' || resource_request_id as reference, account_name, array(select jsonb_array_elements_text(form -> 'resources')) as resources
    from resource_request where ${handingOver} and ${isOf(sql`account_name`, accounts)}`);
  const locked = await read.rows<{ resource: string; accountName: string; status: string }>(sql`
    select resource, account_name, status from delegation where registry = '' and status in ('locked', 'closing') and ${isOf(sql`account_name`, accounts)}`);
  const withoutCase = locked.filter(
    ({ resource, accountName }) =>
      !cases.some(
        each =>
          each.accountName === accountName &&
          each.resources.some(part => overlapsResource(resourceSetOf([parseResource(resource)]), parseResource(part))),
      ),
  );
  const withoutLock = cases.flatMap(({ reference, accountName, resources }) =>
    resources
      .filter(
        part =>
          !locked.some(
            each =>
              each.accountName === accountName && containsResource(resourceSetOf([parseResource(each.resource)]), parseResource(part)),
          ),
      )
      .map(part => ({ reference, part })),
  );
  return [
    ...withoutCase.map(({ resource, accountName }) => ({
      object: `${resource} of ${accountName}`,
      problem: 'is locked, and no open case needs that',
      remedy: 'Withdraw the case that locked it by the activity log, or have it unlocked',
    })),
    ...withoutLock.map(({ reference, part }) => ({
      object: reference,
      problem: `is to move ${part}, which is not locked`,
      remedy: 'Reject the case, and have it sent again',
    })),
  ].slice(0, MAX_VIOLATIONS);
}

/** Space, fees and objects that are kept for a case that is over. */
const orphans = sql<{ object: string; problem: string; remedy: string }>`
  select p.resource as object, 'is held for ' || p.held_for || ', which is ' || coalesce('over: ' || r.state, 'no case') as problem, 'Release it at the desk' as remedy
    from pool p left join resource_request r on p.held_for = 'REQ-' || r.resource_request_id
    where p.held_for is not null and coalesce(r.state, '') not in ('submitted', 'in-review', 'needs-info', 'awaiting-fee', 'on-hold')
  union all
  select 'The fee of ' || f.reference, 'is to be paid, and the case is ' || coalesce(r.state, 'not there'), 'Cancel its invoice by a credit note'
    from transfer_fee f left join resource_request r on f.reference = 'REQ-' || r.resource_request_id left join invoice i using (invoice_id)
    where f.kind = 'TRANSFER' and f.cancelled_at is null and coalesce(i.state, 'ISSUED') in ('ISSUED', 'PARTIALLY_PAID')
      and coalesce(r.state, '') not in ('awaiting-fee', 'on-hold')
  union all
  select 'REQ-' || r.resource_request_id, 'waits for a fee that nobody charged', 'Reject it, or have it approved again'
    from resource_request r where r.state = 'awaiting-fee' and not exists (select from transfer_fee f where f.reference = 'REQ-' || r.resource_request_id and f.cancelled_at is null)
  union all
  select h.name, 'is handed over until ' || h.ends_on || ', and its case is ' || r.state, 'End it at the desk'
    from held_object h join resource_request r using (resource_request_id) where h.ended_at is null and h.kept_at is null and r.state <> 'completed'
  union all
  select 'The pre-approval of ' || account_name, 'has ' || remaining || ' left of ' || granted, 'Look at the requests that used it' from pre_approval where remaining not between 0 and granted
  limit ${MAX_VIOLATIONS}`;

/** Requests that were given numbers on grounds that their kind can't have. */
async function onOtherGrounds({ read, accounts }: InvariantScope): Promise<Violation[]> {
  const rows = await read.rows<{ reference: string; kind: RequestKind; path: RequestPath | '' }>(sql`
    select 'REQ-' || resource_request_id as reference, kind, coalesce(form ->> 'path', '') as path from resource_request
    where state = 'completed' and kind in ('ipv4', 'ipv6', 'asn') and ${isOf(sql`account_name`, accounts)} order by resource_request_id`);
  return rows
    .filter(({ kind, path }) => !groundsOf(kind).includes(path))
    .slice(0, MAX_VIOLATIONS)
    .map(({ reference, kind, path }) => ({
      object: reference,
      problem: `was given ${requestKinds[kind]} on grounds that these can't have: ${path === '' ? 'none' : requestPaths[path]}`,
      remedy: 'Look at what it was given, and correct it with its holder',
    }));
}

/** Invariants of cases. */
export const requestsInvariants: readonly Invariant[] = [
  { name: 'requests.locks', sentence: 'Each lock of a hand-over has its open case, and each such case its locks', check: locksAndCases },
  {
    name: 'requests.orphans',
    sentence: 'No space is held, no fee charged and no object handed over for a case that is over',
    check: async ({ read }) => read.rows(orphans),
  },
  {
    name: 'requests.grounds',
    sentence: 'Numbers are given on grounds that their kind can have',
    check: onOtherGrounds,
  },
];
